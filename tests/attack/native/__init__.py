"""Native code in a locked worker: system calls and tricks by hand, and what each must be answered."""
