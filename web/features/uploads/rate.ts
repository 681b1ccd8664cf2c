const windowMs = 5000

/** Bytes per second over the last few seconds of a running sum. */
export class Rate {
  private readonly marks: { atMs: number; bytes: number }[] = []

  mark(atMs: number, bytes: number): void {
    this.marks.push({ atMs, bytes })
    while (this.marks.length > 2 && this.marks[0]!.atMs < atMs - windowMs) this.marks.shift()
  }

  perSecond(): number {
    const first = this.marks[0]
    const last = this.marks.at(-1)
    if (!first || !last || last.atMs <= first.atMs) return 0
    return ((last.bytes - first.bytes) / (last.atMs - first.atMs)) * 1000
  }
}
