/** So many days of made-up counts. */
export const day = (count: number, value: (i: number) => number) =>
  Array.from({ length: count }, (_, i) => ({
    date: new Date(Date.UTC(2024, 1, 1 + i)).toISOString().slice(0, 10),
    value: value(i),
  }))
