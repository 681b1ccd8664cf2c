export { keepSecret, secretsFile } from './file.ts'
export { openSecrets, secretsFrom, type Secrets, type SecretsOptions } from './secrets.ts'
export type { UrlVerdict } from './signed-url.ts'
