# timedelta
from datetime import datetime, timedelta, date
import datetime as dt
d = timedelta(seconds=3725, milliseconds=5)
print(d, repr(d), d.total_seconds(), d.days, d.seconds, d > timedelta(0), d + d, d * 2, d // timedelta(minutes=1), -d)
t = datetime(2024, 5, 17, 13, 45)
print(t, repr(t), t.year, t.strftime("%Y-%m-%d %H:%M"), t + d, t - datetime(2024, 1, 1), t.isoformat(), t.date())
print(isinstance(t, dt.datetime), t < t + d, {d: 1}[d], f"{d}", date(2024, 2, 29).weekday())
print((datetime.now() - datetime.now()).total_seconds() <= 0, datetime.now().year >= 2023)
for f in (lambda: timedelta(seconds="a"), lambda: t + 1, lambda: datetime(2024, 13, 1)):
    try:
        f()
    except (TypeError, ValueError) as e:
        print(type(e).__name__, e)
