"""The tenant list as a FastAPI service, measured next to ours by `make bench BENCH=tenants`.

Written as FastAPI's manual recommends: a response model, a dependency that verifies the token, one asyncpg pool per
worker. It runs the statement that the benchmark gives it, as a role without row security and without a transaction, so
it does less work per request than ours.
"""

import os
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Annotated
from uuid import UUID

import asyncpg
import jwt
from fastapi import Depends, FastAPI, HTTPException, Query, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel, Json

ISSUER = os.environ["PEER_AUTH_URL"] + "/realms/svc-platform"
CLIENTS = {"svc-api", "svc-api-vendor-breakglass", "svc-api-vendor-tunnel", "operator-ui"}
LIST = os.environ["PEER_LIST_SQL"]

keys = jwt.PyJWKClient(ISSUER + "/protocol/openid-connect/certs", cache_keys=True, lifespan=600)
bearer = HTTPBearer(auto_error=False)


class Quotas(BaseModel):
    documents: int | None = None
    bytes: int | None = None
    passages: int | None = None
    pages: int | None = None
    chatbots: int | None = None
    questions_per_month: int | None = None
    tokens_per_month: int | None = None


class Tenant(BaseModel):
    id: UUID
    slug: str
    display_name: str
    default_language: str
    enabled_modules: list[str]
    quotas: Json[Quotas]
    answer_model: str | None
    answer_models: list[str]
    api_keys_allowed: bool
    created_at: datetime
    updated_at: datetime


class Page(BaseModel):
    items: list[Tenant]
    total: int
    limit: int
    offset: int


@asynccontextmanager
async def lifespan(app: FastAPI):
    size = int(os.environ["PEER_POOL_SIZE"])
    async with asyncpg.create_pool(os.environ["PEER_DATABASE_URL"], min_size=size, max_size=size) as pool:
        app.state.pool = pool
        yield


app = FastAPI(lifespan=lifespan)


async def operator(credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]) -> dict:
    if credentials is None:
        raise HTTPException(401, "not_authenticated")
    token = credentials.credentials
    try:
        key = keys.get_signing_key_from_jwt(token)
        claims = jwt.decode(token, key, algorithms=["RS256", "ES256"], issuer=ISSUER, leeway=30)
    except jwt.PyJWTError:
        raise HTTPException(401, "not_authenticated") from None
    if claims.get("typ") != "Bearer" or claims.get("azp") not in CLIENTS:
        raise HTTPException(401, "not_authenticated")
    if "operator" not in claims.get("realm_access", {}).get("roles", []):
        raise HTTPException(403, "operator_required")
    return claims


@app.get("/api/v1/platform/tenants")
async def list_tenants(
    request: Request,
    caller: Annotated[dict, Depends(operator)],
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    offset: Annotated[int, Query(ge=0)] = 0,
) -> Page:
    async with request.app.state.pool.acquire() as connection:
        rows = await connection.fetch(LIST, limit, offset)
    if not rows:
        return Page(items=[], total=0, limit=limit, offset=offset)
    registry = list(zip(rows[0]["registry"], rows[0]["always_on"]))
    items = [Tenant(**row, enabled_modules=enabled(registry, row["own_modules"] or ())) for row in rows]
    return Page(items=items, total=rows[0]["total"], limit=limit, offset=offset)


def enabled(registry: list[tuple[str, bool]], own: list[str]) -> list[str]:
    return [module for module, always_on in registry if always_on or module in own]
