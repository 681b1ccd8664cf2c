import { Text } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef, useState, type CSSProperties } from 'react'
import { formatExact } from '../../../lib/format.ts'
import { CountNumber, Size } from '../../../ui/facts.tsx'
import frame from '../../../ui/ui.module.css'
import classes from './header.module.css'
import type { FileHeader } from './queries.ts'
import { rowsOf, shapeText, tensorTree, type Tensor, type TreeNode, type TreeRow } from './tensor-tree.ts'

const rowHeight = 30
/** Of a small tree all is open from the first. */
const openAtOnce = 40

interface TensorRowsProps {
  tensors: readonly Tensor[]
  files: FileHeader['files']
  isSearch: boolean
}

/** The tree of tensors. Only the lines in sight are on the page, so that 100 000 cost no more than 50. */
export function TensorRows({ tensors, files, isSearch }: TensorRowsProps) {
  const tree = useMemo(() => tensorTree(tensors), [tensors])
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set())
  const isOpenAtFirst = isSearch || tensors.length <= openAtOnce
  const rows = useMemo(
    () => rowsOf(tree, ({ name }) => toggled.has(name) !== isOpenAtFirst),
    [tree, toggled, isOpenAtFirst],
  )
  const scroller = useRef<HTMLDivElement>(null)
  // oxlint-disable-next-line react/incompatible-library -- No compiler memoizes this component.
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  })
  const toggle = ({ name }: TreeNode) =>
    setToggled((before) => {
      const after = new Set(before)
      if (!after.delete(name)) after.add(name)
      return after
    })
  if (rows.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {isSearch ? 'No tensor has all of these words.' : 'The header has no tensors.'}
      </Text>
    )
  return (
    <div>
      <div className={classes['heads']} aria-hidden>
        <span>Name</span>
        <span>Dtype</span>
        <span>Shape</span>
        <span>Parameters</span>
        <span>Size</span>
      </div>
      <div
        ref={scroller}
        className={`${frame['raised']} ${classes['rows']}`}
        role="group"
        aria-label="Tensors"
        tabIndex={0}
      >
        <div style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {virtual.getVirtualItems().map((item) => {
            const row = rows[item.index]
            return (
              row && (
                <div
                  key={item.key}
                  className={classes['row']}
                  style={{ transform: `translateY(${item.start}px)`, height: rowHeight }}
                >
                  <Row row={row} files={files} toggle={toggle} />
                </div>
              )
            )
          })}
        </div>
      </div>
    </div>
  )
}

interface RowProps {
  row: TreeRow
  files: FileHeader['files']
  toggle: (node: TreeNode) => void
}

function Row({ row: { node, depth, isOpen }, files, toggle }: RowProps) {
  const { tensor } = node
  const indent = { '--depth': Math.min(depth, 10) } as CSSProperties
  const file = tensor && files.length > 1 ? files[tensor.file]?.path : undefined
  return (
    <>
      <span className={classes['name']} style={indent}>
        {tensor ? (
          <span className={classes['leaf']} title={file ? `${tensor.name} in ${file}` : tensor.name}>
            {node.label}
          </span>
        ) : (
          <button
            type="button"
            className={classes['fold']}
            aria-expanded={isOpen}
            title={node.name}
            onClick={() => toggle(node)}
          >
            <IconChevronRight
              size={14}
              aria-hidden
              className={classes['chevron']}
              data-open={isOpen || undefined}
            />
            {node.label}
            <span className={classes['count']}>
              {formatExact(node.tensorCount)} {node.tensorCount === 1 ? 'tensor' : 'tensors'}
            </span>
          </button>
        )}
      </span>
      <span className={classes['dtype']}>{tensor?.dtype}</span>
      <span className={classes['shape']}>{tensor && shapeText(tensor.shape)}</span>
      <span className={classes['elements']}>
        <CountNumber value={node.elements} />
      </span>
      <span className={classes['size']}>
        <Size bytes={node.bytes} />
      </span>
    </>
  )
}
