"""A session on a Spark cluster, set up so that executors run the very code that asks them.

What Spark reads anyway decides the rest: ``spark-defaults.conf`` in ``$SPARK_CONF_DIR``, and
``$PYSPARK_SUBMIT_ARGS``.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import cache_from_source
from pathlib import Path
from typing import TYPE_CHECKING, Any

import stemmata
from stemmata.model import ErrorCode, StemmataError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PACKAGE = "stemmata.zip"
CONNECT_SECONDS = 10.0
_STANDALONE = re.compile(r"spark://([^,:/\s]+|\[[^\]]+\]):([0-9]{1,5})(?:,[^,/\s]+)*")
_OTHER = re.compile(r"local(\[[0-9*]+(,[0-9]+)?\])?|yarn|k8s://\S+")
_SETTINGS = {
    "spark.app.name": "stemmata",
    "spark.log.level": "ERROR",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.session.timeZone": "UTC",
}
"""What is set unless the cluster's own settings say otherwise."""


@contextmanager
def spark_session(url: str) -> Iterator[SparkSession]:
    """Give a session on a cluster; it ends with the block.

    Parameters
    ----------
    url
        Of the cluster: ``spark://host:7077``, ``yarn``, ``k8s://…``, or ``local[2]`` for threads of this
        machine.

    Raises
    ------
    StemmataError
        E502 without pyspark, E800 without Java, E801 for what is no address, E802 if nobody answers there.
    """
    _require_address(url)
    try:
        from pyspark import SparkConf, SparkContext
        from pyspark.sql import SparkSession
    except ImportError:
        raise StemmataError(
            ErrorCode.MISSING_EXTRA, what="a Spark cluster", package="pyspark", extra="spark"
        ) from None
    active = SparkSession.getActiveSession()
    if active is not None:
        # Somebody else's, as in a notebook; it goes on afterwards.
        if active.sparkContext.master != url:
            reason = f"a session on {active.sparkContext.master} is open in this program"
            raise StemmataError(ErrorCode.NO_CLUSTER, url, reason=reason)
        with tempfile.TemporaryDirectory(prefix="stemmata-spark-") as room:
            _send_package(active, Path(room))
            yield active
        return
    _require_java()
    with tempfile.TemporaryDirectory(prefix="stemmata-spark-") as room, _own_settings(url):
        log = Path(room) / "spark.log"
        session: SparkSession | None = None
        try:
            with _said_to(log):
                # Starts Java, which reads the cluster's own settings.
                conf = SparkConf(loadDefaults=True).setMaster(url)
                for name, value in {**_SETTINGS, **_environment()}.items():
                    conf.setIfMissing(name, value)
                session = SparkSession.builder.config(conf=conf).getOrCreate()
            _send_package(session, Path(room))
        except Exception as error:
            if session is not None:
                session.stop()
            _end_java(SparkContext)
            raise StemmataError(ErrorCode.NO_CLUSTER, url, reason=_reason(error, log)) from None
        try:
            yield session
        finally:
            with suppress(Exception):
                session.stop()
            # With Java gone, the next session reads the settings anew and writes to its own log.
            _end_java(SparkContext)


def _require_address(url: str) -> None:
    """Refuse what is no address of a cluster, or where nobody listens."""
    standalone = _STANDALONE.fullmatch(url)
    if standalone is None:
        if not _OTHER.fullmatch(url):
            raise StemmataError(ErrorCode.BAD_CLUSTER_URL, url=url[:200])
        return
    host, port = standalone[1].strip("[]"), int(standalone[2])
    # Spark itself would try for a minute.
    try:
        socket.create_connection((host, port), timeout=CONNECT_SECONDS).close()
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise StemmataError(ErrorCode.NO_CLUSTER, url, reason=reason) from None


def _require_java() -> None:
    home = os.environ.get("JAVA_HOME")
    if not (home and (Path(home) / "bin" / "java").exists()) and not shutil.which("java"):
        raise StemmataError(ErrorCode.NO_JAVA)


@contextmanager
def _own_settings(url: str) -> Iterator[None]:
    """Have Python on executors be the one that runs here, unless somebody said which."""
    before = dict(os.environ)
    for name in ("PYSPARK_PYTHON", "PYSPARK_DRIVER_PYTHON"):
        os.environ.setdefault(name, sys.executable)
    if url.startswith("local"):
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    try:
        yield
    finally:
        for name in set(os.environ) - set(before):
            del os.environ[name]


def _environment() -> dict[str, str]:
    """Return settings by which executors know what our own environment variables say here."""
    ours = {name: value for name, value in os.environ.items() if name.startswith("STEMMATA_")}
    return {f"spark.executorEnv.{name}": value for name, value in ours.items()}


@contextmanager
def _said_to(log: Path) -> Iterator[None]:
    """Have Java, started meanwhile, tell the log what it would tell the terminal."""
    if os.environ.get("STEMMATA_DEBUG"):
        yield
        return
    sys.stderr.flush()
    kept = os.dup(2)
    try:
        with log.open("wb") as stream:
            os.dup2(stream.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _send_package(session: SparkSession, room: Path) -> None:
    """Have executors import this very package; threads of this machine do anyway."""
    if not str(session.sparkContext.master).startswith("local"):
        session.sparkContext.addPyFile(str(_zipped(room / PACKAGE)))


def _zipped(path: Path) -> Path:
    """Write this package as a zip file, which Python can import from."""
    top = Path(stemmata.__file__).parent
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for file in sorted(top.rglob("*")):
            if not file.is_file() or file.suffix == ".pyc":
                continue
            name = file.relative_to(top.parent)
            packed.write(file, name)
            # Python does not keep what it compiled from a zip file; what was compiled here saves seconds.
            compiled = Path(cache_from_source(str(file)))
            if file.suffix == ".py" and compiled.exists():
                packed.write(compiled, name.with_suffix(".pyc"))
    return path


def _reason(error: Exception, log: Path) -> str:
    """Return what went wrong in a few words; Java's log says more than the exception that came of it."""
    with suppress(OSError):
        for line in log.read_text("utf-8", "replace").splitlines():
            if said := re.search(r"(?:ERROR|Exception|Error)\b:? *(\S.*)", line):
                return str(said[1])[:200]
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]


def _end_java(context: Any) -> None:
    gateway = context._gateway
    if gateway is None:
        return
    process = getattr(gateway, "proc", None)
    with suppress(Exception):
        gateway.shutdown()
    if process is not None:
        # Java ends when what it reads commands from does.
        with suppress(Exception):
            process.stdin.close()
        with suppress(Exception):
            process.wait(10)
    context._gateway = context._jvm = None
