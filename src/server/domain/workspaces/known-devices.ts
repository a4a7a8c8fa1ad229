import { z } from 'zod'
import { open, seal } from '../../lib/sealed-text.ts'
import type { Service } from '../service.ts'
import { newDeviceMail, reportToPerson } from './account-mails.ts'
import type { Device, Person } from './person.ts'

// A browser remembers who has signed in with it, in a cookie that only this service can write. The
// database stores nothing.
const maxPeople = 10

const KnownPeople = z.array(z.string()).max(maxPeople)
const purpose = 'known device'

/**
 * Call when a person has signed in with a browser. Returns what the browser should remember. If it
 * did not know them yet, they get an email, unless `skipsNewDeviceMail`.
 */
export function recordDevice(
  service: Service,
  person: Person,
  device: Device,
  { remembered, skipsNewDeviceMail }: { remembered: string | undefined; skipsNewDeviceMail: boolean },
): string {
  const { authSecret } = service.secrets
  const known = readKnown(remembered, authSecret)
  if (!known.includes(person.id) && !skipsNewDeviceMail) {
    reportToPerson(service, person, 'new device', newDeviceMail(service, device))
  }
  const people = [person.id, ...known.filter((id) => id !== person.id)].slice(0, maxPeople)
  return seal(JSON.stringify(people), authSecret, purpose)
}

function readKnown(remembered: string | undefined, authSecret: string): string[] {
  if (remembered === undefined) return []
  try {
    return KnownPeople.parse(JSON.parse(open(remembered, authSecret, purpose)))
  } catch {
    return []
  }
}
