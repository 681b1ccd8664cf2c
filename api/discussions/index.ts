export { commitAnywhere, pullNumberOf, type WiderCommitInput, type WiderCommitOutcome } from './commit.ts'
export { openDiscussion, type NewDiscussion, type Opened } from './open.ts'
