import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { useIgnoreWhiteSpace, useWhiteSpaceOfAddress } from './white-space.ts'

/** Has the lines compared without their white space. */
export function WhiteSpace() {
  const isIgnored = useWhiteSpaceOfAddress()
  const ignore = useIgnoreWhiteSpace()
  // The address follows once the page is drawn, which may have hundreds of diffs; the mark answers at once.
  const [pressed, setPressed] = useState({ from: isIgnored, isChecked: isIgnored })
  if (pressed.from !== isIgnored) setPressed({ from: isIgnored, isChecked: isIgnored })
  return (
    <Checkbox
      size="xs"
      label="Ignore white space"
      checked={pressed.isChecked}
      onChange={({ currentTarget: { checked } }) => {
        setPressed({ from: isIgnored, isChecked: checked })
        ignore(checked)
      }}
    />
  )
}
