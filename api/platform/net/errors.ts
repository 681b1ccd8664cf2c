/** Why a request to elsewhere came to nothing: the words that people and rows are given, never a resolver's or a library's own. */
const outboundFaults = {
  'invalid-url': 'The address is not one that requests may be sent to.',
  blocked: 'The address leads into a network that requests may not be sent to.',
  unencrypted: 'Addresses without encryption must lie in a network that `security.outbound_allow` names.',
  unresolvable: 'The host name could not be resolved.',
  unreachable: 'No connection could be made.',
  tls: 'No secure connection could be made; the certificate may not be valid.',
  timeout: 'The answer took too long.',
  closed: 'The connection was closed before the answer was complete.',
  'bad-answer': 'The answer is not HTTP.',
  'too-large': 'The answer is too large.',
  redirect: 'The answer leads to an address that may not be followed.',
} as const

export type OutboundFault = keyof typeof outboundFaults

/** A request to elsewhere that was refused here or failed there. `cause` is for the log alone. */
export class OutboundError extends Error {
  readonly fault: OutboundFault

  constructor(fault: OutboundFault, cause?: unknown) {
    super(outboundFaults[fault], { cause })
    this.name = 'OutboundError'
    this.fault = fault
  }
}
