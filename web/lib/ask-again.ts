/** Milliseconds until what the server is still working on is asked for again. */
export const askAgainMs = 3000
/** About five minutes of asking. What is not done then waits for other work; a page need not. */
export const maxAsks = 100
