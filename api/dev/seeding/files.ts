import { parquetWriteBuffer } from 'hyparquet-writer'

/** Numbers in [0, 1) that are the same in every run (mulberry32), so that seeding twice stores nothing twice. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    yield ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * A safetensors file of random float32 tensors: the header's length as 8 bytes little-endian, the header as JSON padded
 * to 8 bytes, the values (safetensors README, "Format").
 */
export function safetensors(seed: number, shapes: Record<string, [rows: number, columns: number]>): Buffer {
  let end = 0
  const header = Object.fromEntries(
    Object.entries(shapes).map(([name, [rows, columns]]) => {
      const data_offsets = [end, (end += rows * columns * 4)]
      return [name, { dtype: 'F32', shape: [rows, columns], data_offsets }]
    }),
  )
  const json = JSON.stringify({ __metadata__: { format: 'pt' }, ...header })
  const text = json.padEnd(Math.ceil(json.length / 8) * 8)
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(text.length))
  const values = new Float32Array(end / 4)
  const source = numbers(seed)
  for (let i = 0; i < values.length; i++) values[i] = (source.next().value - 0.5) / 8
  return Buffer.concat([length, Buffer.from(text), Buffer.from(values.buffer)])
}

const stations = ['Ålesund', 'Brno', 'Cusco', 'Dakar', 'Esperance']

/** Readings of weather stations, as rows. */
function readings(seed: number, rows: number) {
  const source = numbers(seed)
  const random = () => source.next().value
  return Array.from({ length: rows }, (_, i) => ({
    station: stations[Math.floor(random() * stations.length)] ?? '',
    day: new Date(Date.UTC(2024, 0, 1 + (i % 366))),
    celsius: Math.round((random() * 45 - 10) * 10) / 10,
    rain: random() > 0.7,
  }))
}

/** The readings as CSV. */
export function weatherCsv(seed: number, rows: number): Buffer {
  const lines = readings(seed, rows).map(
    ({ station, day, celsius, rain }) => `${station},${day.toISOString().slice(0, 10)},${celsius},${rain}`,
  )
  return Buffer.from(`station,day,celsius,rain\n${lines.join('\n')}\n`)
}

/** The readings as Parquet. */
export function weatherParquet(seed: number, rows: number): Buffer {
  const data = readings(seed, rows)
  return Buffer.from(
    parquetWriteBuffer({
      columnData: [
        { name: 'station', data: data.map((row) => row.station), type: 'STRING' },
        { name: 'day', data: data.map((row) => row.day), type: 'TIMESTAMP' },
        { name: 'celsius', data: data.map((row) => row.celsius), type: 'DOUBLE' },
        { name: 'rain', data: data.map((row) => row.rain), type: 'BOOLEAN' },
      ],
    }),
  )
}
