"""The OpenAPI description: the schemas of bodies and answers come from the structs."""

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
    """Refusals of these kinds, and those that any request may get."""
    by_status = {STATUS[name]: name for name in kinds} | {403: "forbidden", 422: "syntax"}
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
        for status, name in sorted(by_status.items())
    }


def describe(app: FastAPI, structs: tuple[type[Any], ...]) -> None:
    """Let the app describe itself with the schemas of these structs."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            description = get_openapi(
                title=app.title, version=app.version, description=app.description, routes=app.routes
            )
            _, schemas = msgspec.json.schema_components(structs, ref_template=REFERENCE)
            description.setdefault("components", {}).setdefault("schemas", {}).update(schemas)
            app.openapi_schema = description
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]
