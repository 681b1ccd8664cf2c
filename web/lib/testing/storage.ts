/** A storage as browsers have it, of so many characters. */
export function storageOf(room = Number.POSITIVE_INFINITY): Storage {
  const values: Record<string, string> = {}
  const used = () => Object.entries(values).reduce((sum, [key, value]) => sum + key.length + value.length, 0)
  const methods = {
    getItem: (key: string) => values[key] ?? null,
    setItem: (key: string, value: string) => {
      if (used() - (values[key]?.length ?? -key.length) + value.length > room) throw new Error('full')
      values[key] = value
    },
    removeItem: (key: string) => void delete values[key],
  }
  return new Proxy(methods, {
    ownKeys: () => Object.keys(values),
    getOwnPropertyDescriptor: (_, key) => ({
      configurable: true,
      enumerable: true,
      value: values[String(key)],
    }),
  }) as unknown as Storage
}
