"""Play a whole match by the protocol of docs/protocol.md: a first client for bot authors.

`python examples/client.py http://127.0.0.1:8000 drop-or-pop` creates a table with bots at the other
seats and always plays the first legal move. It needs the packages httpx and websockets.
"""

import asyncio
import itertools
import json
import sys

import httpx
import websockets


async def main(server: str, game: str) -> None:
    """Choose a name, create a table, and play there until the match is over."""
    async with httpx.AsyncClient(base_url=server, timeout=60) as http:
        (await http.put("/api/me", json={"name": "First Move"})).raise_for_status()
        games = {entry["name"]: entry for entry in (await http.get("/api/games")).json()}
        seats = ["me"] + ["easy"] * (games[game]["players"][0] - 1)
        created = await http.post("/api/tables", json={"game": game, "seats": seats})
        table = created.raise_for_status().json()["table"]
        cookie = "; ".join(f"{name}={value}" for name, value in http.cookies.items())

    address = f"{server.replace('http', 'ws', 1)}/api/tables/{table}/socket"
    ids = itertools.count(1)  # of our commands: sent twice, one is carried out once
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
