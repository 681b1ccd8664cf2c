import { Skeleton } from '@mantine/core'

/** Stands for a viewer that has not come: until then the page shows nothing below it, which would move (`in-order`). */
export const ViewerSkeleton = ({ height }: { height: number | string }) => (
  <Skeleton height={height} role="status" aria-label="Loading" aria-busy="true" />
)
