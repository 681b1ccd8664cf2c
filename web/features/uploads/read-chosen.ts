interface Chosen {
  path: string
  file: Blob
}

/** The bytes of a chosen file, or of `part` of it. Throws an Error that names the file when the browser may not read it any more. */
export async function readChosen({ path }: Chosen, part: Blob): Promise<Uint8Array> {
  try {
    return new Uint8Array(await part.arrayBuffer())
  } catch (cause) {
    throw new Error(
      `${path} cannot be read: it was changed, moved or locked after it was chosen. Choose it again, or leave it out.`,
      { cause },
    )
  }
}

/**
 * What `work` with a chosen file came to. Where it failed because the file cannot be read any more, the error says that:
 * a request whose body ends so looks like a server that cannot be reached.
 */
export async function readable<T>(chosen: Chosen, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    await readChosen(chosen, chosen.file.slice(0, 1))
    throw error
  }
}
