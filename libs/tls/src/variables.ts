import { text } from '@cellarman/config';
import { Type } from '@sinclair/typebox';
import type { TOptional, TString } from '@sinclair/typebox';
import type { CertificateFiles } from './certificate.ts';

/** Node reads it by itself when it starts; we add that its content may change. */
export const authoritiesVariable = {
  NODE_EXTRA_CA_CERTS: Type.Optional(
    text({
      description:
        'A PEM file with authorities that every connection trusts, in addition to those of Node. Changes take effect within ten seconds.',
    }),
  ),
};

/** For every service: the certificate authorities that it trusts, and its own server certificate. */
export const tlsVariables = {
  ...authoritiesVariable,
  TLS_CERT_FILE: Type.Optional(
    text({
      description:
        'A PEM file with the server certificate and its intermediates. Every port then accepts only HTTPS. Changes take effect within ten seconds.',
    }),
  ),
  TLS_KEY_FILE: Type.Optional(text({ description: 'The PEM file with the key of that certificate.' })),
};

type FileVariables<Prefix extends string> = `${Prefix}_CERT_FILE` | `${Prefix}_KEY_FILE`;

/** `KAFKA_TLS_CERT_FILE` and `KAFKA_TLS_KEY_FILE` for the prefix `KAFKA_TLS`. */
export function clientCertificateVariables<Prefix extends string>(prefix: Prefix, engine: string) {
  return {
    [`${prefix}_CERT_FILE`]: Type.Optional(
      text({
        description: `A PEM file with a client certificate, if ${engine} requires one. Read again for each connection.`,
      }),
    ),
    [`${prefix}_KEY_FILE`]: Type.Optional(
      text({ description: 'The PEM file with the key of that certificate.' }),
    ),
  } as Record<FileVariables<Prefix>, TOptional<TString>>;
}

/** The two files of a prefix, if they are given. */
export function certificateFiles<Prefix extends string>(
  config: { readonly [Name in FileVariables<Prefix>]?: string | undefined },
  prefix: Prefix,
): CertificateFiles | undefined {
  const { certFile, keyFile } = given(config, prefix);
  return certFile === undefined || keyFile === undefined ? undefined : { certFile, keyFile };
}

/**
 * What no variable can be wrong about alone.
 *
 * @param needs says what an encrypted connection takes when there is none yet: `KAFKA_TLS=true`
 */
export function certificateConflicts<Prefix extends string>(
  config: { readonly [Name in FileVariables<Prefix>]?: string | undefined },
  prefix: Prefix,
  needs?: { isEncrypted: boolean; how: string },
): string[] {
  const { certFile, keyFile } = given(config, prefix);
  if ((certFile === undefined) !== (keyFile === undefined)) {
    return [`${prefix}_CERT_FILE and ${prefix}_KEY_FILE go together: give both or none`];
  }
  return certFile !== undefined && needs?.isEncrypted === false
    ? [`${prefix}_CERT_FILE is of no use without encryption: it needs ${needs.how}`]
    : [];
}

/** Checks the variables of a Redis that may require a client certificate. */
export function redisCertificateConflicts(
  config: { readonly REDIS_URL: string } & {
    readonly [Name in FileVariables<'REDIS_TLS'>]?: string | undefined;
  },
): string[] {
  return certificateConflicts(config, 'REDIS_TLS', encryptionOf(config, 'REDIS_URL', 'rediss:'));
}

/** Checks the variables of a ClickHouse that may require a client certificate. */
export function clickHouseCertificateConflicts(
  config: { readonly CLICKHOUSE_URL: string } & {
    readonly [Name in FileVariables<'CLICKHOUSE_TLS'>]?: string | undefined;
  },
): string[] {
  return certificateConflicts(config, 'CLICKHOUSE_TLS', encryptionOf(config, 'CLICKHOUSE_URL', 'https:'));
}

/** For connections whose URL states whether they are encrypted. */
function encryptionOf<Address extends string>(
  config: { readonly [Name in Address]: string },
  address: Address,
  scheme: string,
): { isEncrypted: boolean; how: string } {
  return { isEncrypted: config[address].startsWith(scheme), how: `${scheme}// in ${address}` };
}

function given(
  config: object,
  prefix: string,
): { certFile?: string | undefined; keyFile?: string | undefined } {
  const variables = config as Record<string, string | undefined>;
  return { certFile: variables[`${prefix}_CERT_FILE`], keyFile: variables[`${prefix}_KEY_FILE`] };
}
