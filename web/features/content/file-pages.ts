/* The pages of one file load together: each import of its own makes every first view larger. */
export * as blame from './blame.page.tsx'
export * as blob from './blob.page.tsx'
