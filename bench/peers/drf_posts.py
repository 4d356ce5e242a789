"""The blog posts service as one writes it with Django REST framework in an afternoon.

Called with the path of an empty SQLite database, that of a file of posts, a JSON object a line, and a token to be. SQLite
is used with its own defaults, so a commit is fsynced. Nothing is cached. Comments are prefetched: a page takes three
statements, one of which counts.
"""

import json
import socket
import sys

import django
from django.conf import settings

path, samples, token = sys.argv[1:]
settings.configure(
    ALLOWED_HOSTS=["*"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": path, "OPTIONS": {"timeout": 30}}},
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    INSTALLED_APPS=[
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "rest_framework",
        "rest_framework.authtoken",
    ],
    ROOT_URLCONF=__name__,
    SECRET_KEY="a benchmark",
    USE_TZ=True,
    REST_FRAMEWORK={
        "DEFAULT_AUTHENTICATION_CLASSES": ["rest_framework.authentication.TokenAuthentication"],
        "DEFAULT_PAGINATION_CLASS": "rest_framework.pagination.PageNumberPagination",
        "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"],
        "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
        "PAGE_SIZE": 20,
    },
)
django.setup()

from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application
from django.db import connection, models
from django.urls import include, path as route
from gunicorn.app.base import BaseApplication
from rest_framework import routers, serializers, viewsets
from rest_framework.authtoken.models import Token


class Post(models.Model):
    title = models.CharField(max_length=200)
    content = models.TextField()
    published = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        app_label = "blog"
        indexes = [models.Index(fields=["published", "-created_at"], name="newest")]


class Comment(models.Model):
    post = models.ForeignKey(Post, related_name="comments", on_delete=models.CASCADE)
    author = models.CharField(max_length=100)
    text = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        app_label = "blog"


class CommentSerializer(serializers.ModelSerializer):
    class Meta:
        model = Comment
        fields = ["id", "post", "author", "text", "created_at"]


class PostSerializer(serializers.ModelSerializer):
    comments = CommentSerializer(many=True, read_only=True)

    class Meta:
        model = Post
        fields = ["id", "title", "content", "published", "created_at", "comments"]


class PostViewSet(viewsets.ModelViewSet):
    queryset = Post.objects.filter(published=True).order_by("-created_at").prefetch_related("comments")
    serializer_class = PostSerializer


router = routers.DefaultRouter()
router.register("posts", PostViewSet)
urlpatterns = [route("api/", include(router.urls))]

call_command("migrate", verbosity=0)
with connection.schema_editor() as editor:
    editor.create_model(Post)
    editor.create_model(Comment)
with open(samples) as lines:
    made = [json.loads(line) for line in lines]
posts = [Post(id=id, title=post["title"], content=post["content"], published=True) for id, post in enumerate(made, 1)]
Post.objects.bulk_create(posts)
Comment.objects.bulk_create(
    Comment(post_id=id, author=comment["author"], text=comment["text"])
    for id, post in enumerate(made, 1)
    for comment in post["comments"]
)
Token.objects.create(user=User.objects.create(username="editor"), key=token)
connection.close()

listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen(2048)
address = f"http://127.0.0.1:{listener.getsockname()[1]}"


class Server(BaseApplication):
    """One process of eight threads, which keeps connections alive."""

    def load_config(self):
        options = {
            "bind": f"fd://{listener.detach()}",
            "keepalive": 60,
            "loglevel": "warning",
            "threads": 8,
            "worker_class": "gthread",
            "worker_connections": 1000,
            "workers": 1,
        }
        for name, value in options.items():
            self.cfg.set(name, value)

    def load(self):
        print(f"Listening on {address}", flush=True)
        return get_wsgi_application()


Server().run()
