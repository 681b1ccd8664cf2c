/* The pages of settings load together: each import of its own makes every first view larger. */
export * as ollamaKeys from './ollama-keys.page.tsx'
export * as password from './password.page.tsx'
export * as profile from './profile.page.tsx'
export * as sessions from './sessions.page.tsx'
export * as signIn from './sign-in.page.tsx'
export * as tokens from './tokens.page.tsx'
