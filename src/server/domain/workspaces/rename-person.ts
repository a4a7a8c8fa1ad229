import type { Service } from '../service.ts'
import { auditPerson } from './audit-person.ts'

export async function renamePerson(
  service: Service,
  userId: string,
  name: string,
  from: string,
): Promise<void> {
  await service.people.rename(userId, name)
  await auditPerson(service, userId, { actor: userId, from, action: 'member.renamed' })
}
