"""The API described for tools: shapes of bodies and answers come from the structs themselves."""

from __future__ import annotations

from typing import Any

import msgspec
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from droptable.web.messages import STATUS, Problem

REFERENCE = "#/components/schemas/{name}"


def body(kind: type[Any]) -> dict[str, Any]:
    """A request whose body is this struct."""
    content = {"application/json": {"schema": {"$ref": REFERENCE.format(name=kind.__name__)}}}
    return {"requestBody": {"required": True, "content": content}}


def returns(
    description: str, kind: type[Any] | None = None, status: int = 200
) -> dict[int | str, dict[str, Any]]:
    """An answer: this struct, or any JSON."""
    schema = {"$ref": REFERENCE.format(name=kind.__name__)} if kind else {}
    content = {"application/json": {"schema": schema}}
    return {status: {"description": description, "content": content}}


def refusals(*kinds: str, kind: type[Any] = Problem) -> dict[int | str, dict[str, Any]]:
    """Answers of these kinds of refusals, and those that every request may get."""
    told = {STATUS[name]: name for name in kinds} | {403: "forbidden", 422: "syntax"}
    content = {
        "application/json": {
            "schema": {
                "anyOf": [
                    {"$ref": REFERENCE.format(name=name)}
                    for name in sorted({Problem.__name__, kind.__name__})
                ]
            }
        }
    }
    return {
        status: {"description": f"Refused: {name}.", "content": content}
        for status, name in sorted(told.items())
    }


def describe(app: FastAPI, structs: tuple[type[Any], ...]) -> None:
    """Let the app describe itself with the schemas of these structs."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            found = get_openapi(
                title=app.title, version=app.version, description=app.description, routes=app.routes
            )
            _, shapes = msgspec.json.schema_components(structs, ref_template=REFERENCE)
            found.setdefault("components", {}).setdefault("schemas", {}).update(shapes)
            app.openapi_schema = found
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]
