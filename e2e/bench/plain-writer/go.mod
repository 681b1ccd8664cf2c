module plainwriter

go 1.22
