import { openS3Store, StoreError } from '../../stores/storage/index.ts'
import { CommandFailure, configOf, type Command } from './command.ts'

export const bucketCors: Command = {
  usage: '[--check]',
  summary: "Let pages in browsers use the bucket's signed addresses: sets its CORS rules, or checks them",
  options: { check: { type: 'boolean' } },
  async run(args, shell) {
    const { storage } = configOf(args, shell)
    if (storage.backend !== 's3')
      throw new CommandFailure('storage.backend is not s3: there is no bucket.', 2)
    const store = await openS3Store(storage.s3)
    try {
      if (!args.values['check']) await store.setCors()
      if (!(await store.hasCors()))
        throw new CommandFailure(
          `The bucket ${storage.s3.bucket} keeps pages in browsers out; run arsenal bucket cors.`,
        )
      shell.out(`The bucket ${storage.s3.bucket} lets pages in browsers in.\n`)
      return 0
    } catch (error) {
      if (error instanceof StoreError) throw new CommandFailure(`The bucket cannot be used: ${error.message}`)
      throw error
    } finally {
      await store.close()
    }
  },
}
