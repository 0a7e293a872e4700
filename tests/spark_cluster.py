"""A real Spark cluster for tests, a master and two workers on loopback, and work for it to do."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from stemmata.model import ErrorCode, StemmataError

PATIENCE = 120.0
QUICK = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"
"""Java that starts fast rather than runs fast."""
SETTINGS = f"""
spark.executor.memory 512m
spark.executor.cores 1
spark.executor.extraJavaOptions {QUICK}
spark.driver.memory 512m
spark.driver.extraJavaOptions {QUICK}
spark.driver.host 127.0.0.1
spark.driver.bindAddress 127.0.0.1
spark.ui.enabled false
spark.sql.shuffle.partitions 2
spark.sql.autoBroadcastJoinThreshold -1
spark.sql.codegen.wholeStage false
spark.sql.codegen.factoryMode NO_CODEGEN
spark.executorEnv.PYTHONPATH {Path(__file__).parent}
"""


def java() -> bool:
    """Tell whether there is Java, and pyspark, to run a cluster."""
    try:
        import pyspark  # noqa: F401
    except ImportError:
        return False
    home = os.environ.get("JAVA_HOME")
    return bool(shutil.which("java") or (home and (Path(home) / "bin" / "java").exists()))


@dataclass
class Cluster:
    """A master and its workers, each a process of Java."""

    folder: Path
    environment: dict[str, str]
    url: str = ""
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def start(self, kind: str, *arguments: str) -> tuple[subprocess.Popen[bytes], Path]:
        import pyspark

        log = self.folder / f"{len(self.processes)}-{kind}.log"
        program = Path(pyspark.__file__).parent / "bin" / "spark-class"
        role = f"org.apache.spark.deploy.{kind.lower()}.{kind}"
        with log.open("wb") as stream:
            process = subprocess.Popen(
                [program, role, "--host", "127.0.0.1", *arguments],
                stdout=stream,
                stderr=subprocess.STDOUT,
                env=self.environment,
            )
        self.processes.append(process)
        return process, log

    def add_worker(self) -> Path:
        room = self.folder / f"worker-{len(self.workers)}"
        arguments = ("--cores", "1", "--memory", "600m", "--webui-port", "0", "--work-dir", str(room))
        process, log = self.start("Worker", *arguments, self.url)
        self.workers.append(process)
        return log

    def kill_worker(self, number: int) -> None:
        """Kill a worker, and the executor that it has started, as a power cut would."""
        worker = self.workers[number]
        children = children_of(worker.pid)
        assert children, "the worker has no executor"
        for process in (worker.pid, *children):
            os.kill(process, signal.SIGKILL)
        worker.wait()

    def wait_for_executor(self, number: int) -> None:
        """Wait until a worker has started its executor."""
        until = time.monotonic() + PATIENCE
        while not children_of(self.workers[number].pid):
            assert time.monotonic() < until, "the worker was given no executor"
            time.sleep(0.1)


def children_of(parent: int) -> list[int]:
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            said = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(said[1]) == parent:
            found.append(int(status.parent.name))
    return found


@contextmanager
def standalone_cluster(folder: Path) -> Iterator[Cluster]:
    """Start a master and two workers; all are gone afterwards."""
    conf = folder / "conf"
    conf.mkdir(parents=True)
    (conf / "spark-defaults.conf").write_text(SETTINGS)
    environment = {
        **os.environ,
        "SPARK_CONF_DIR": str(conf),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_DAEMON_MEMORY": "256m",
        "SPARK_DAEMON_JAVA_OPTS": QUICK,
        "PYSPARK_PYTHON": sys.executable,
    }
    cluster = Cluster(folder, environment)
    try:
        _, log = cluster.start("Master", "--port", "0", "--webui-port", "0")
        cluster.url = said_in(log, r"Starting Spark master at (spark://\S+)")
        for log in [cluster.add_worker(), cluster.add_worker()]:
            said_in(log, "(Successfully registered)")
        yield cluster
    finally:
        for process in reversed(cluster.processes):
            process.kill()
            process.wait()


def said_in(log: Path, pattern: str) -> str:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if found := re.search(pattern, log.read_text("utf-8", "replace")):
            return found[1]
        time.sleep(0.1)
    raise AssertionError(f"no {pattern!r} in {log.read_text('utf-8', 'replace')[-2000:]}")


prepared: list[int] = []


def prepare(number: int) -> None:
    prepared.append(number)


def work(number: int) -> tuple[int, int, list[int], str]:
    """Return what was given and squared, who did it, what was prepared, and a variable of the environment."""
    return number * number, os.getpid(), list(prepared), os.environ.get("STEMMATA_MAX_DOCUMENT_BYTES", "")


def refuse(number: int) -> int:
    if number == 3:
        raise StemmataError(ErrorCode.NO_SUCH_PATH, "somewhere")
    return number


def fail(number: int) -> int:
    return 1 // number
