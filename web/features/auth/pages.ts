/* The pages of people who are not signed in load together: each import of its own makes every first view larger. */
export * as device from './device.page.tsx'
export * as link from './link.page.tsx'
export * as login from './login.page.tsx'
export * as register from './register.page.tsx'
