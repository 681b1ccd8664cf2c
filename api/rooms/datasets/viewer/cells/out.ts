/** Bytes of a media cell, which clients fetch by an address of their own. */
export interface Asset {
  kind: 'Image' | 'Audio' | 'Video' | 'Pdf'
  /** Where the cell is within its row, by JSON path: the column first. */
  at: (string | number)[]
  /** By its first bytes, such as `png`; `bin` for what browsers do not show. */
  extension: string
  size: number
  /** Of images. */
  width: number | null
  height: number | null
}

/** A media cell whose bytes lie in a file of a repo, by the path that the cell names. */
export interface LinkedFile {
  kind: Asset['kind']
  path: string
}

/** JSON text, with places for addresses that only the main thread can make. */
export type Piece = string | Asset | LinkedFile

/** The JSON of one cell on its way. */
export class CellText {
  readonly #pieces: Piece[] = []
  #text: string[] = []

  add(text: string): void {
    this.#text.push(text)
  }

  addMedia(media: Asset | LinkedFile): void {
    this.#pieces.push(this.#text.join(''), media)
    this.#text = []
  }

  /** One text where there is no media. */
  end(): Piece[] {
    return [...this.#pieces, this.#text.join('')]
  }
}

/** Writes one stored value as JSON; `at` is where it is within its row. */
export type WriteCell = (value: unknown, out: CellText, at: (string | number)[]) => void
