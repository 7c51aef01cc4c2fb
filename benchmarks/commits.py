"""A process that commits moves, for benchmarks/scale.py."""

import asyncio
import os
import time

import psycopg

TABLES = 64  # to which each process writes by turns
BODY = '{"type":"Moved","actor":0,"token":"drop 5","by":"person"}'
UPDATE = "UPDATE tables SET seq = %s WHERE id = %s AND seq = %s RETURNING id"
INSERT = "INSERT INTO events (table_id, seq, body) VALUES (%s, %s, %s)"


def commit(address, bus, news, seconds, ready, results):
    """One process: commits per second."""
    asyncio.run(_commit(address, bus, news, seconds, ready, results))


async def _commit(address, bus, news, seconds, ready, results):
    from redis.asyncio import Redis as Client

    name = f"{os.getpid()}"
    client = Client.from_url(bus) if news == "redis" else None
    writer = psycopg.connect(address, autocommit=True)
    listener = psycopg.connect(address, autocommit=True)
    if news == "notify":
        listener.execute("LISTEN news")
    for number in range(TABLES):
        writer.execute("INSERT INTO tables VALUES (%s, 0)", (f"{name} {number}",))
    ready.wait()
    end, done = time.perf_counter() + seconds, 0
    while time.perf_counter() < end:
        seq, number = divmod(done, TABLES)
        table = f"{name} {number}"
        with writer.transaction():
            writer.execute(UPDATE, (seq + 1, table, seq))
            writer.execute(INSERT, (table, seq + 1, BODY))
            if news == "notify":
                writer.execute("SELECT pg_notify('news', %s)", (f"{table} {seq + 1}",))
        if client is not None:
            await client.publish(f"news:{table}", f"{seq + 1}")
        elif news == "notify" and done % 16 == 0:
            for _ in listener.notifies(timeout=0):
                pass
        done += 1
    results.put(done / seconds)
    if client is not None:
        await client.aclose()
