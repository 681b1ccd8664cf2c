/** Texts that pandas takes for nothing (pandas: pandas/_libs/parsers.pyx, STR_NA_VALUES). */
export const csvNulls = [
  '',
  '#N/A',
  '#N/A N/A',
  '#NA',
  '-1.#IND',
  '-1.#QNAN',
  '-NaN',
  '-nan',
  '1.#IND',
  '1.#QNAN',
  '<NA>',
  'N/A',
  'NA',
  'NULL',
  'NaN',
  'None',
  'n/a',
  'nan',
  'null',
]

const integer = /^\s*[+-]?\d+\s*$/
const decimal = /^\s*[+-]?(\d+\.?\d*(e[+-]?\d+)?|\.\d+(e[+-]?\d+)?|inf|infinity)\s*$/i
const bool = /^(true|True|TRUE|false|False|FALSE)$/
const [minInt64, maxInt64, maxUint64] = [-(2n ** 63n), 2n ** 63n - 1n, 2n ** 64n - 1n]

/**
 * The type of a CSV column as pandas finds it, value by value: integers without gaps, numbers, booleans, else text. Dates
 * stay text.
 */
export class CsvType {
  #count = 0
  #nulls = 0
  #integers = 0
  #numbers = 0
  #bools = 0
  #least = 0n
  #most = 0n

  add(value: string | null): void {
    this.#count++
    if (value === null) this.#nulls++
    else if (bool.test(value)) this.#bools++
    else if (integer.test(value)) {
      this.#integers++
      this.#numbers++
      const number = BigInt(value.trim().replace(/^\+/, ''))
      if (number < this.#least) this.#least = number
      if (number > this.#most) this.#most = number
    } else if (decimal.test(value)) this.#numbers++
  }

  /** `undefined` where integers are larger than any type: the library fails on them. */
  get dtype(): string | undefined {
    const values = this.#count - this.#nulls
    if (this.#count === 0) return 'null'
    if (values === 0) return 'float64'
    if (this.#bools === values) return 'bool'
    if (this.#numbers !== values) return 'string'
    if (this.#integers !== values || this.#nulls > 0) return 'float64'
    if (this.#least >= minInt64 && this.#most <= maxInt64) return 'int64'
    if (this.#least >= 0n && this.#most <= maxUint64) return 'uint64'
    return this.#most <= maxUint64 ? 'string' : undefined
  }
}
