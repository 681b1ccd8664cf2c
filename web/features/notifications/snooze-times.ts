/** A moment until which a notification is put away. */
export interface SnoozeTime {
  label: string
  until: Date
}

const hourMs = 3_600_000
const monday = 1

/** Nine o'clock, as many days later, in the time zone of the browser. */
function morning(now: Date, days: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, 9)
}

/** What is offered at a moment. On a Sunday the next Monday is tomorrow, and offered once. */
export function snoozeTimes(now: Date): SnoozeTime[] {
  const daysToMonday = (monday - now.getDay() + 7) % 7 || 7
  const times = [
    { label: 'In an hour', until: new Date(now.getTime() + hourMs) },
    { label: 'Tomorrow', until: morning(now, 1) },
  ]
  return daysToMonday === 1 ? times : [...times, { label: 'Next Monday', until: morning(now, daysToMonday) }]
}
