// The real servers, as data: what is fetched, which Java runs it, how its node is set up.

/** Methods that the read-only role is refused, as the README's recipe has it. */
const writing = '["PUT", "POST", "DELETE", "PATCH"]';

function searchGuard({ line, engine, plugin, roles, endpoints, more, writable }) {
  return {
    /** What the suite calls it. */
    name: `search-guard-${line}`,
    product: "search-guard",
    release: plugin,
    title: `Search Guard ${plugin} on Elasticsearch ${engine}`,
    java: [8, 23],
    program: "elasticsearch",
    archives: {
      engine: `org.elasticsearch.distribution.integ-test-zip:elasticsearch:${engine}:zip`,
      plugin: `com.floragunn:search-guard-${line}:${plugin}:zip`,
    },
    pluginFolder: `plugins/search-guard-${line}`,
    /** Where the first configuration is read from, below the server's folder; and what its files are called. */
    seeds: {
      from: `plugins/search-guard-${line}/sgconfig`,
      to: `plugins/search-guard-${line}/sgconfig`,
      prefix: "sg_",
    },
    api: "/_searchguard/api",
    settings: ({ configWritable }) => [
      "searchguard.enterprise_modules_enabled: true",
      "searchguard.allow_default_init_sgindex: true",
      ...secured("searchguard"),
      ...readOnlyRole("searchguard", roles, endpoints),
      ...more(configWritable),
    ],
    /** In which ways it can be set up: whether the API may write the config. */
    writable,
    // The default options name a garbage collector that newer runtimes do not have.
    jvmOptions: [
      "-XX:+UseSerialGC",
      "-Xss1m",
      "-Djava.awt.headless=true",
      "-Dfile.encoding=UTF-8",
      "-Djna.nosys=true",
      "-Dio.netty.noUnsafe=true",
      "-Dio.netty.noKeySetOptimization=true",
      "-Dio.netty.recycler.maxCapacityPerThread=0",
      "-Dlog4j.shutdownHookEnabled=false",
      "-Dlog4j2.disable.jmx=true",
      "-Dlog4j2.formatMsgNoLookups=true",
      "9-:-Djava.locale.providers=SPI,COMPAT",
      "9-:--add-opens=java.base/java.nio=ALL-UNNAMED",
      "9-:--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
      "9-:--add-opens=java.base/java.lang=ALL-UNNAMED",
      "9-:--add-opens=java.base/java.util=ALL-UNNAMED",
      "12-:-Djava.security.manager=allow",
    ],
  };
}

function openSearch(version, java) {
  return {
    name: `opensearch-${version.split(".")[0]}`,
    product: "opensearch",
    release: version,
    title: `OpenSearch ${version}`,
    java,
    program: "opensearch",
    archives: {
      engine: `org.opensearch.distribution.integ-test-zip:opensearch:${version}:zip`,
      plugin: `org.opensearch.plugin:opensearch-security:${version}.0:zip`,
    },
    pluginFolder: "plugins/opensearch-security",
    seeds: { from: "plugins/opensearch-security/config", to: "config/opensearch-security", prefix: "" },
    api: "/_plugins/_security/api",
    settings: ({ configWritable }) => [
      "plugins.security.allow_default_init_securityindex: true",
      `plugins.security.unsupported.restapi.allow_securityconfig_modification: ${configWritable}`,
      "plugins.security.nodes_dn_dynamic_config_enabled: true",
      ...secured("plugins.security"),
      ...readOnlyRole("plugins.security", ["all_access", "readall"], ofOpenSearch),
    ],
    writable: [true, false],
    ...(version.startsWith("3.") && {
      // Two repairs of what Maven has: the plugin asks for a companion that is not there and that the security API does
      // not use, and it lacks a library without which a PATCH that changes an array ends the whole server.
      companions: "none",
      library: "org.apache.commons:commons-collections4:4.4:jar",
    }),
  };
}

/** The guide's list. Releases skip what they do not have, but for Search Guard 6, which was not tried. */
const ofOpenSearch =
  "ACTIONGROUPS ALLOWLIST APITOKENS AUDIT AUTHTOKEN CACHE CONFIG INTERNALUSERS MIGRATE NODESDN RATELIMITERS RESOURCE_SHARING ROLES ROLESMAPPING ROLLBACK_VERSION SSL TENANTS VIEW_VERSION WHITELIST".split(
    " ",
  );
const ofSearchGuard6 = "ACTIONGROUPS AUTHTOKEN CACHE INTERNALUSERS LICENSE ROLES ROLESMAPPING SGCONFIG".split(" ");

/** By what they are called on the command line. */
export const products = {
  opensearch: openSearch("2.19.1", [11, 23]),
  "opensearch-2.11.1": openSearch("2.11.1", [11, 21]),
  "opensearch-2.19.4": openSearch("2.19.4", [11, 23]),
  "opensearch-3.4.0": openSearch("3.4.0", [21, 25]),
  "search-guard-7": searchGuard({
    line: 7,
    engine: "7.5.1",
    plugin: "7.5.1-38.0.0",
    roles: ["SGS_ALL_ACCESS", "SGS_READALL"],
    endpoints: [...ofSearchGuard6, "BLOCKS", "TENANTS"],
    more: (configWritable) => [`searchguard.unsupported.restapi.allow_sgconfig_modification: ${configWritable}`],
    writable: [true, false],
  }),
  "search-guard-6": searchGuard({
    line: 6,
    engine: "6.5.4",
    plugin: "6.5.4-24.0",
    roles: ["sg_all_access", "sg_readall"],
    endpoints: ofSearchGuard6,
    // It has no setting for the config, and would not start with an unknown one.
    more: () => [],
    writable: [false],
  }),
};

/** What runs where none is named. */
export const usual = ["opensearch", "search-guard-7", "search-guard-6"];

function secured(prefix) {
  return [
    `${prefix}.ssl.transport.pemcert_filepath: certs/node.pem`,
    `${prefix}.ssl.transport.pemkey_filepath: certs/node-key.pem`,
    `${prefix}.ssl.transport.pemtrustedcas_filepath: certs/ca.pem`,
    `${prefix}.ssl.transport.enforce_hostname_verification: false`,
    `${prefix}.ssl.http.enabled: true`,
    `${prefix}.ssl.http.clientauth_mode: OPTIONAL`,
    `${prefix}.ssl.http.pemcert_filepath: certs/node.pem`,
    `${prefix}.ssl.http.pemkey_filepath: certs/node-key.pem`,
    `${prefix}.ssl.http.pemtrustedcas_filepath: certs/ca.pem`,
    `${prefix}.authcz.admin_dn: ["CN=admin,OU=suite,O=gate-sync"]`,
    `${prefix}.nodes_dn: ["CN=node,OU=suite,O=gate-sync"]`,
  ];
}

function readOnlyRole(prefix, [all, read], endpoints) {
  return [
    `${prefix}.restapi.roles_enabled: ["${all}", "${read}"]`,
    ...endpoints.map((endpoint) => `${prefix}.restapi.endpoints_disabled.${read}.${endpoint}: ${writing}`),
  ];
}
