import { Container, Group, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { PageTitle } from './page-title.tsx'

interface PageProps {
  title: string
  /** What stands beside the heading. */
  actions?: ReactNode
  width?: number
  children: ReactNode
}

/** A page's frame: document title, one heading, content up to 1280 px wide. */
export function PageFrame({ title, actions, width = 1280, children }: PageProps) {
  return (
    <Container size={width} py="lg">
      <PageTitle>{title}</PageTitle>
      <Group justify="space-between" mb="md" gap="sm">
        <Title order={1} style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Title>
        {actions}
      </Group>
      {children}
    </Container>
  )
}
