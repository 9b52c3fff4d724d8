"""What matplotlib drew, as the page shows it: data where it can be told, else matplotlib's own picture."""
