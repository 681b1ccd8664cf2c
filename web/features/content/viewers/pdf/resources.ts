/** Fonts that every PDF program has, and tables of East Asian encodings: files of pdf.js, fetched when a document names one. */
const files = import.meta.glob<string>(
  '../../../../../node_modules/pdfjs-dist/{standard_fonts,cmaps}/*.{pfb,ttf,bcmap}',
  { query: '?url', import: 'default', eager: true },
)

const addresses = new Map(Object.entries(files).map(([path, url]) => [path.split('/').at(-1) ?? '', url]))

/** Brings pdf.js its own files by the addresses that the build gave them. It knows them by folder and name. */
export class PdfResources {
  /** Throws for a file that is not there; pdf.js then goes on without it. */
  async fetch({ filename }: { filename: string }): Promise<Uint8Array> {
    const address = addresses.get(filename)
    if (address === undefined) throw new Error(`There is no file ${filename}.`)
    const answer = await fetch(address)
    if (!answer.ok) throw new Error(`${address} answered ${answer.status}.`)
    return new Uint8Array(await answer.arrayBuffer())
  }
}
