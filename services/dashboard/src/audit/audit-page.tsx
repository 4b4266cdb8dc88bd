import { Title } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { PageHeading } from '../display/blocks.tsx';
import { usePageTitle } from '../display/use-page-title.ts';
import { OwnersOnly } from '../session/roles.tsx';
import { AuditLog } from './audit-log.tsx';

const ofCellar = getRouteApi('/signed-in/cellars/$cellar/audit');
const ofEverything = getRouteApi('/signed-in/audit');

/** The audit log of a cellar. */
export function AuditPage() {
  const { cellar } = ofCellar.useParams();
  usePageTitle('Audit', cellar);
  const search = ofCellar.useSearch();
  const navigate = ofCellar.useNavigate();
  return (
    <>
      <PageHeading>Audit</PageHeading>
      <AuditLog
        cellar={cellar}
        search={search}
        show={(next, options) => void navigate({ search: next, ...options })}
      />
    </>
  );
}

/** The audit log of everything, also of sign-ins, users and service tokens. */
export function GlobalAuditPage() {
  usePageTitle('Audit log');
  const search = ofEverything.useSearch();
  const navigate = ofEverything.useNavigate();
  return (
    <OwnersOnly>
      <Title order={1} size="h3" mb="sm">
        Audit log
      </Title>
      <AuditLog
        cellar={undefined}
        search={search}
        show={(next, options) => void navigate({ search: next, ...options })}
      />
    </OwnersOnly>
  );
}
