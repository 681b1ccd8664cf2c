/** Whether large bodies go around Node's streams in this process: `server.direct_io`. The plain path gives the same bytes. */
export const directIo = { isOn: true }
