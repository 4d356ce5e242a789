"""The bookmark service as one writes it with FastAPI and SQLAlchemy in an afternoon.

Called with the path of an empty SQLite database and of a file of bookmarks, a JSON object a line. SQLite is used with
its own defaults, so a commit is fsynced. Nothing is cached.
"""

import datetime
import json
import socket
import sys

import uvicorn
from fastapi import Depends, FastAPI, HTTPException
from pydantic import BaseModel, HttpUrl
from sqlalchemy import Column, DateTime, Integer, String, Text, create_engine
from sqlalchemy.orm import Session, declarative_base, sessionmaker

path, samples = sys.argv[1:]
engine = create_engine(f"sqlite:///{path}", connect_args={"check_same_thread": False, "timeout": 30})
open_session = sessionmaker(bind=engine)
Base = declarative_base()


class Bookmark(Base):
    __tablename__ = "bookmarks"
    id = Column(Integer, primary_key=True)
    title = Column(String(200), nullable=False)
    url = Column(String(500), nullable=False)
    description = Column(Text, nullable=False, default="")
    created_at = Column(DateTime, nullable=False, default=datetime.datetime.utcnow)


class BookmarkCreate(BaseModel):
    title: str
    url: HttpUrl
    description: str = ""


class BookmarkResponse(BaseModel):
    id: int
    title: str
    url: str
    description: str
    created_at: datetime.datetime

    class Config:
        orm_mode = True


def session():
    opened = open_session()
    try:
        yield opened
    finally:
        opened.close()


app = FastAPI()


@app.get("/bookmarks/{id}", response_model=BookmarkResponse)
def fetch(id: int, session: Session = Depends(session)):
    bookmark = session.get(Bookmark, id)
    if bookmark is None:
        raise HTTPException(404, "Bookmark not found")
    return bookmark


@app.post("/bookmarks/", status_code=201, response_model=BookmarkResponse)
def create(payload: BookmarkCreate, session: Session = Depends(session)):
    bookmark = Bookmark(title=payload.title, url=str(payload.url), description=payload.description)
    session.add(bookmark)
    session.commit()
    session.refresh(bookmark)
    return bookmark


Base.metadata.create_all(engine)
with open_session() as filling, open(samples) as lines:
    filling.bulk_insert_mappings(Bookmark, map(json.loads, lines))
    filling.commit()

listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen(2048)
print(f"Listening on http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False)).run(sockets=[listener])
