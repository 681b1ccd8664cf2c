export { chunkAction } from './offer.ts'
export { mintWriteToken, tokenHeaders } from './write-token.ts'
