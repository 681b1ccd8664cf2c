import { Stack, Text } from '@mantine/core'
import { PageFrame } from '../../ui/page.tsx'
import { ChangeParts } from './change-parts.tsx'
import { DataParts } from './data-parts.tsx'
import { FormParts } from './form-parts.tsx'
import { PlaceParts } from './place-parts.tsx'
import { SmallParts } from './small-parts.tsx'
import { StateParts } from './state-parts.tsx'
import { TextParts } from './text-parts.tsx'
import { ValueParts } from './value-parts.tsx'

/** All components of `web/ui` with their states; in development alone. The header switches the theme. */
export function Component() {
  return (
    <PageFrame title="Components">
      <Stack gap="lg">
        <Text c="dimmed">
          Every component of web/ui in its states, empty to too long. Look at it in both themes and at 390
          pixels.
        </Text>
        <FormParts />
        <PlaceParts />
        <StateParts />
        <SmallParts />
        <TextParts />
        <DataParts />
        <ValueParts />
        <ChangeParts />
      </Stack>
    </PageFrame>
  )
}
