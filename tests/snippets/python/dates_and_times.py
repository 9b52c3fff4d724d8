# Dates and times: read, replaced, shown; numbers of the standard library
import datetime as dt
from datetime import date, datetime, timedelta, timezone


def shown(make):
    try:
        print(make())
    except Exception as error:
        print(type(error).__name__, error)


moment = datetime.strptime("2024-02-29 13:05:09", "%Y-%m-%d %H:%M:%S")
print(moment, repr(moment), moment.replace(year=2023, day=1), moment.time(), moment.isoweekday(), moment.ctime())
print(moment.timetuple().tm_yday, moment.isocalendar()[1], moment.isocalendar().week, moment.toordinal())
print(datetime.fromisoformat("2024-01-02T03:04:05"), date.fromisoformat("2024-01-02"), moment.isoformat(" "), moment.isoformat(timespec="minutes"))
print(date(2024, 1, 2).replace(month=3), date(2024, 1, 2).isoweekday(), date(2024, 1, 2).ctime(), date(2024, 1, 2).timetuple().tm_mon, date(2024, 1, 2).toordinal())
print(dt.time(3, 4, 5), repr(dt.time(3, 4)), dt.time(3, 4).isoformat(), dt.time(3, 4).strftime("%H-%M"), dt.time(3) < dt.time(4), dt.time(5).hour, dt.time(1).replace(hour=2))
print(datetime.combine(date(2024, 1, 2), dt.time(3)))
print(datetime(2024, 1, 2, tzinfo=timezone.utc), datetime(2024, 1, 2, tzinfo=timezone.utc).timestamp(), datetime.fromtimestamp(0, timezone.utc))
print(datetime.now(timezone.utc).tzinfo, datetime.now().tzinfo, timezone.utc)
print(moment + timedelta(days=1), (moment - datetime(2024, 1, 1)).days, f"{moment:%d.%m.%Y}", moment.strftime("%A %B"), timedelta(hours=25), str(timedelta(minutes=90)), timedelta(days=2) / timedelta(hours=1))
shown(lambda: datetime.strptime("x", "%Y"))
shown(lambda: datetime.strptime("2024 x", "%Y"))
shown(lambda: datetime.fromisoformat("never"))
shown(lambda: moment.replace(month=13))
shown(lambda: datetime(2024, 2, 30))
shown(lambda: datetime.strptime(3, "%Y"))
