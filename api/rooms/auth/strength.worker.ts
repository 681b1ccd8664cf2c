import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import * as common from '@zxcvbn-ts/language-common'
import * as english from '@zxcvbn-ts/language-en'

/** What `scoreOf` asks. */
export interface StrengthQuestion {
  password: string
  /** Words that are no secret here, such as the username. */
  personal: string[]
}

const zxcvbn = new ZxcvbnFactory({
  dictionary: { ...common.dictionary, ...english.dictionary },
  graphs: common.adjacencyGraphs,
  // Its time grows faster than the length; what follows can only make a password stronger.
  maxLength: 24,
})

process.on('message', ({ password, personal }: StrengthQuestion) => {
  process.send?.(zxcvbn.check(password, personal).score)
})
