import { MantineProvider } from '@mantine/core'
import type { Components } from 'hast-util-to-jsx-runtime'
import { renderToString } from 'react-dom/server'
import { StaticRouter } from 'react-router'
import { baseOf, DocumentFrame } from '../features/content/document-frame.tsx'
import type { RepoAddress } from '../lib/types.ts'
import { beginning } from '../ui/markdown/beginning.ts'
import { componentsFor, Laid } from '../ui/markdown/components.tsx'
import { splitFrontMatter } from '../ui/markdown/front-matter.ts'
import { idPrefix, resolveImage, type MarkdownBase } from '../ui/markdown/links.ts'
import classes from '../ui/markdown/markdown.module.css'
import { treeOf } from '../ui/markdown/tree.ts'
import { theme } from './theme.ts'

/** Some screens of text. */
const maxCharacters = 16 * 1024
/** A text of that length makes three times as much, one of nothing but links fifty times. */
const maxDrawnCharacters = 128 * 1024

export interface CardText {
  /** The beginning of the file, or all of it. */
  text: string
  isWhole: boolean
  address: RepoAddress
  rev: string
  path: string
}

/**
 * The beginning of a card as the page shows it once its script has run; `undefined` where there is nothing that would look
 * the same. Rejects for a text that is nested without end. It may take minutes, which is for its caller to bound.
 */
export async function drawCard({ text, isWhole, address, rev, path }: CardText): Promise<string | undefined> {
  // Such a file is no text.
  if (text.slice(0, 8000).includes('\0')) return undefined
  const { frontMatter, text: body } = splitFrontMatter(text)
  // Metadata whose end was not read.
  if (!isWhole && frontMatter === undefined && /^\uFEFF?---[ \t]*\r?\n/.test(text)) return undefined
  const isCut = !isWhole || body.length > maxCharacters
  const shown = isCut ? body.slice(0, body.lastIndexOf('\n', maxCharacters) + 1) : body
  const tree = await treeOf(shown, idPrefix, undefined, beginning(isCut))
  if (tree.children.length === 0) return undefined
  const base = baseOf(address, rev, path)
  const drawn = renderToString(
    <MantineProvider theme={theme} withCssVariables={false} withGlobalClasses={false}>
      <StaticRouter location="/">
        <DocumentFrame frontMatter={frontMatter && '…'}>
          <div className={classes['document']}>
            <Laid tree={tree} components={drawnComponents(base)} />
          </div>
        </DocumentFrame>
      </StaticRouter>
    </MantineProvider>,
  )
  return drawn.length > maxDrawnCharacters ? undefined : drawn
}

/** Images are left to the page: on a slow line they would come before its script. */
function drawnComponents(base: MarkdownBase): Partial<Components> {
  const components = componentsFor(base)
  const { img: Image } = components
  return {
    ...components,
    img: (props) =>
      resolveImage(String(props.src ?? ''), base) === undefined && typeof Image === 'function' ? (
        <Image {...props} />
      ) : (
        // As long as it has not come, an image is as high as its line.
        <span>{'\u200B'}</span>
      ),
  }
}
