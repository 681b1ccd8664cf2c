import fs, { type FileHandle } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { onTestFinished } from 'vitest'
import type { DiskCall } from './disk-model.ts'

/** A step of a file system, before it is taken: `calls` tell of it once it has succeeded. */
export interface DiskStep {
  call: DiskCall['call'] | 'read'
  path: string
}

/** Throws what the disk is to answer, holds it up, or says how many bytes it takes of a write or gives of a read. */
type Trouble = (step: DiskStep) => number | undefined | Promise<undefined>

/**
 * Records what the store asks of `node:fs/promises` from now until the test ends, as the system answered it; `trouble`
 * makes the disk fail.
 */
export function recordDisk(trouble: Trouble = () => undefined): DiskCall[] {
  const calls: DiskCall[] = []
  const real = { ...fs }
  const named =
    (call: 'unlink' | 'mkdir' | 'rmdir', act: (path: string, ...rest: never[]) => Promise<unknown>) =>
    async (path: string, ...rest: never[]) => {
      await trouble({ call, path })
      const answer = await act(path, ...rest)
      calls.push({ call, path })
      return answer
    }
  const moved = (call: 'link' | 'rename') => async (from: string, to: string) => {
    await trouble({ call, path: to })
    await real[call](from, to)
    calls.push({ call, from, to })
  }
  Object.assign(fs, {
    unlink: named('unlink', real.unlink),
    mkdir: named('mkdir', real.mkdir as never),
    rmdir: named('rmdir', real.rmdir),
    rm: named('rmdir', real.rm as never),
    link: moved('link'),
    rename: moved('rename'),
    open: async (path: string, flags: string | number = 'r', mode?: number) => {
      const file = await real.open(path, flags, mode)
      if (typeof flags === 'string' && flags.includes('x')) calls.push({ call: 'create', path })
      return watched(file, path, calls, trouble)
    },
  })
  syncBuiltinESMExports()
  onTestFinished(() => {
    Object.assign(fs, real)
    syncBuiltinESMExports()
  })
  return calls
}

function watched(file: FileHandle, path: string, calls: DiskCall[], trouble: Trouble): FileHandle {
  const real = { write: file.write.bind(file), read: file.read.bind(file), writev: file.writev.bind(file) }
  const sync = (act: () => Promise<void>) => async () => {
    await trouble({ call: 'sync', path })
    calls.push({ call: 'sync-begins', path })
    await act()
    calls.push({ call: 'sync', path })
  }
  const write = async (bytes: Uint8Array, offset: number, length: number, at: number) => {
    const most = (await trouble({ call: 'write', path })) ?? length
    const written = await real.write(bytes, offset, Math.min(length, most), at)
    calls.push({
      call: 'write',
      path,
      at,
      bytes: Buffer.from(bytes.subarray(offset, offset + written.bytesWritten)),
    })
    return written
  }
  return Object.assign(file, {
    sync: sync(file.sync.bind(file)),
    datasync: sync(file.datasync.bind(file)),
    write,
    writev: async (batch: Uint8Array[], at: number) => {
      const bytes = Buffer.concat(batch)
      const { bytesWritten } = await write(bytes, 0, bytes.length, at)
      return { bytesWritten, buffers: batch }
    },
    read: async (bytes: Uint8Array, offset: number, length: number, at: number) => {
      const most = (await trouble({ call: 'read', path })) ?? length
      return real.read(bytes, offset, Math.min(length, most), at)
    },
  })
}
