# concurrent.futures, threading, timeit, datetime and calendar: work given away, time measured, dates at their ends
import calendar
import threading
import time
import timeit
from concurrent.futures import ThreadPoolExecutor, as_completed, wait
from datetime import date, datetime, timedelta, timezone
import torch
w = torch.ones(3, requires_grad=True)
def loss(x): return (w * x).sum()
with ThreadPoolExecutor(max_workers=1) as pool:
    print(list(pool.map(lambda x: x * x, [1, 2, 3])), list(pool.map(pow, [2, 3], [3, 2])))
    job = pool.submit(loss, torch.arange(3.0))
    jobs = {pool.submit(int, text): text for text in ("1", "2", "x")}
    print(job.result(), job.done(), job.exception(), sorted(jobs[each] for each in as_completed(jobs)))
    failed = [each.exception() for each in jobs if each.exception() is not None]
    print(failed, len(wait(jobs).done))
job.result().backward()
print(w.grad)
ready = threading.Event()
def work(): ready.set()
thread = threading.Thread(target=work)
thread.start(); thread.join()
print(ready.is_set(), ready.wait(1), threading.current_thread() is threading.main_thread(), threading.main_thread().name)
with threading.Semaphore(1): print("one at a time")
print(timeit.timeit(lambda: loss(torch.ones(3)), number=3) >= 0, len(timeit.repeat(lambda: 1, number=2, repeat=4)), timeit.Timer(loss).__class__.__name__)
print(datetime.max, date.min, timedelta.max, timedelta.resolution, timezone.utc, timezone(timedelta(hours=2)))
print(datetime(2024, 1, 1, tzinfo=timezone.utc).astimezone(timezone(timedelta(hours=2))), datetime(2024, 1, 1, tzinfo=timezone.utc).tzname())
print(time.asctime(time.gmtime(0)), time.strptime("2024-03-01", "%Y-%m-%d").tm_yday, calendar.isleap(2024), calendar.monthrange(2024, 2))
print(calendar.month(2024, 2), calendar.day_name[0], list(calendar.month_abbr)[:3], calendar.monthcalendar(2024, 2)[0], calendar.SUNDAY)
for wrong in (
    lambda: pool.submit(print), lambda: ThreadPoolExecutor(0), lambda: [each.result() for each in jobs], lambda: time.sleep(-1),
    lambda: time.sleep("a"), lambda: datetime(2024, 1, 2).strftime(3), lambda: threading.Semaphore(-1), lambda: datetime.max + timedelta(1),
    lambda: timezone(timedelta(days=2)), lambda: thread.start(), lambda: date(2023, 2, 29), lambda: timedelta("a"),
):
    try:
        print(wrong())
    except (TypeError, ValueError, RuntimeError, OverflowError) as e:
        print(type(e).__name__, e)
