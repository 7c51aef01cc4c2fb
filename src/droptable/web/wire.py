"""The WebSocket protocol of the server: uvicorn's, with compression that keeps no memory.

A compressor that remembers earlier messages holds up to 300 kB for each open socket, for as long as
it is open. Here each message is compressed by itself, so that those who are sent the same message
also share its frame.
"""

from __future__ import annotations

import zlib
from functools import cached_property, lru_cache
from typing import Any

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.extensions.permessage_deflate import (
    PerMessageDeflate,
    ServerPerMessageDeflateFactory,
)
from websockets.frames import Frame, Opcode
from websockets.protocol import State

LEVEL = 3  # of compression: as fast as 1, and nearly as small as the rest
WORTH_IT = 300  # bytes of a message from which it is compressed
SHARED = 4  # frames that are kept for those who are sent the same message next
LAST_FRAME, COMPRESSED = 0x80, 0x40  # bits of a frame's first byte (RFC 6455, 7692)
END_OF_BLOCK = b"\x00\x00\xff\xff"  # left out at the end of a compressed message


class WireProtocol(WebSocketsSansIOProtocol):
    """One connection; nothing of a message stays when it has been sent or received."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._outbox: list[bytes] = []  # frames that go out together
        self._heard = False  # whether the client has said something since it was last asked
        self.conn.available_extensions = [
            ServerPerMessageDeflateFactory(
                server_no_context_takeover=True,
                client_no_context_takeover=True,
                compress_settings={"level": LEVEL},
            )
        ]

    @cached_property
    def _window(self) -> int:
        """The size of the compressor's window that the client has agreed to; 0: no compression."""
        deflates = (e for e in self.conn.extensions if isinstance(e, PerMessageDeflate))
        return next((deflate.local_max_window_bits for deflate in deflates), 0)

    async def send(self, message: Any) -> None:
        """Send a message; a text in a frame that others may be sent as well."""
        text = message.get("text")
        if text is None or message["type"] != "websocket.send" or not self.handshake_complete:
            self._flush()
            await super().send(message)
            return
        await self.writable.wait()
        if self.disconnected or self.conn.state is not State.OPEN:
            raise ClientDisconnected
        if not self._outbox:  # an answer follows its state one pass of the loop later
            self.loop.call_soon(self.loop.call_soon, self._flush)
        self._outbox.append(_frame(text, self._window))

    def _flush(self) -> None:
        """Send the frames that wait, in one piece: each piece costs as much as a move's rules."""
        frames, self._outbox = self._outbox, []
        if frames and not self.transport.is_closing():
            self.transport.write(b"".join(frames))

    def shutdown(self) -> None:
        self._flush()
        super().shutdown()

    def data_received(self, data: bytes) -> None:
        self._heard = True
        super().data_received(data)

    def handle_pong(self, event: Frame) -> None:
        self._heard = False
        super().handle_pong(event)

    def send_keepalive_ping(self) -> None:
        """Ask a client that has been silent whether it is still there."""
        if self._heard:
            self._heard = False
            self.schedule_ping()
        else:
            super().send_keepalive_ping()


@lru_cache(SHARED)
def _frame(text: str, window: int) -> bytes:
    """A message in one frame from the server, compressed if that is worth it."""
    data, first = text.encode(), LAST_FRAME | Opcode.TEXT
    if window and len(data) >= WORTH_IT:
        compressor = zlib.compressobj(LEVEL, wbits=-window)
        data = compressor.compress(data) + compressor.flush(zlib.Z_SYNC_FLUSH)
        data, first = data.removesuffix(END_OF_BLOCK), first | COMPRESSED
    if len(data) < 126:
        head = bytes((first, len(data)))
    elif len(data) < 1 << 16:
        head = bytes((first, 126)) + len(data).to_bytes(2, "big")
    else:
        head = bytes((first, 127)) + len(data).to_bytes(8, "big")
    return head + data
