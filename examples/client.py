"""A whole match by the protocol of docs/protocol.md: a bot author's first client.

`python examples/client.py http://127.0.0.1:8000 drop-or-pop` opens a table with bots at the other
seats and plays the first legal move each time. It needs the packages httpx and websockets.
"""

import asyncio
import itertools
import json
import sys

import httpx
import websockets


async def main(server: str, game: str) -> None:
    """Choose a name, open a table, and play at it until the match is over."""
    async with httpx.AsyncClient(base_url=server) as http:
        (await http.put("/api/me", json={"name": "First Move"})).raise_for_status()
        games = {found["name"]: found for found in (await http.get("/api/games")).json()}
        seats = ["me"] + ["easy"] * (games[game]["players"][0] - 1)
        opened = await http.post("/api/tables", json={"game": game, "seats": seats})
        table = opened.raise_for_status().json()["table"]
        cookie = "; ".join(f"{name}={value}" for name, value in http.cookies.items())

    address = f"{server.replace('http', 'ws', 1)}/api/tables/{table}/socket"
    ids = itertools.count(1)  # each command has an id of ours: sent twice, it is obeyed once
    async with websockets.connect(address, additional_headers={"Cookie": cookie}) as socket:
        async for text in socket:
            message = json.loads(text)
            if message["type"] == "answer":
                if not message["ok"]:
                    print("refused:", message["message"])
                continue
            for line in message["lines"]:
                print(line["text"])
            if message["status"] == "over":
                return
            if message["legal"]:
                move = {"type": "move", "token": message["legal"][0]["token"]}
                command = {"id": str(next(ids)), "seq": message["seq"], "command": move}
                await socket.send(json.dumps(command))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
