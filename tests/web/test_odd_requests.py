"""Odd requests get a clear answer, never a failure of the server."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.web.people import Person

People = Callable[..., Person]


@pytest.mark.parametrize("name", ["%00", "a%00b.js", "..%00/app.py"])
def test_no_file_has_a_nul_in_its_name(person: People, name: str) -> None:
    """Such a name is answered like that of any file that is not there."""
    answer = person().http.get(f"/static/{name}")
    assert answer.status_code == 404
    assert answer.json()["kind"] == "gone"


def test_an_address_that_fits_no_code(person: People) -> None:
    """An address that is too long for a QR code is refused, and named."""
    anna = person("Anna")
    table = anna.create("drop")
    headers = {"X-Forwarded-Host": "h" * 5000}
    answer = anna.http.get(f"/api/tables/{table}/qr.svg", headers=headers)
    assert answer.status_code == 422
    assert "http://hhhh" in answer.json()["message"]
