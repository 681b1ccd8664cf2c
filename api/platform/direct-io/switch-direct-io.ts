import { forgetSpareSlabs } from './slabs.ts'
import { directIo } from './switch.ts'

/** Says by which path large bodies go in this process. To be called before any has come. */
export function switchDirectIo(isOn: boolean): void {
  directIo.isOn = isOn
  forgetSpareSlabs()
}
