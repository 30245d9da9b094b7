import type { Case } from "./cases.ts";

interface Allowed {
  /** The command, the route and the field, as the name of a case has them. */
  where: RegExp;
  /** The sentence that may come. */
  says?: RegExp;
  /** The text that a card may no longer have, or have otherwise. */
  loses?: RegExp;
  why: string;
}

/** Sentences that are definite although a field says nothing: each is so by the spec, or is about something else. */
const allowed: readonly Allowed[] = [
  {
    where: /customer GET \/vps(\/\{id\})? \| data\.(\*\.)?instance null$/,
    says: /machine|being built|^Nothing changed\.$|Its id is right/,
    loses: /./,
    why: "spec section 2.3: null until a machine exists",
  },
  {
    where: /\/stats \| data\.points (missing|null)$/,
    says: /^Available: yes$/,
    why: "the platform says no more than that",
  },
  {
    where:
      /customer GET \/(vps|dedicated|services)\/\{id\} \| data\.(service\.)?((hostname|location) (missing|null)|location of another type)$/,
    loses: /[Hh]ost name|[Ll]ocation/,
    why: "spec section 2.3: a machine may have no host name and no location; a card leaves them out and denies nothing",
  },
  {
    where: /customer GET \/dedicated\/\{id\} \| data\.hardware /,
    says: /no machine yet|Nothing changed|It is being built|power cannot be switched yet/,
    why: "spec section 2.5: there is hardware once a machine is bound. Nothing is done",
  },
  {
    where: /customer GET \/dedicated\/\{id\} \| data\.hardware\.(manufacturer|model) /,
    loses: /Practice Metal|PM-1/,
    why: "the other half of the model's name stays",
  },
  {
    where: /customer GET \/dedicated\/\{id\} \| data\.name (missing|null)$/,
    loses: /metal-1/,
    why: "the host name takes the place of the name",
  },
  {
    where: /customer GET \/locations \| /,
    loses: /[Ll]ocation/,
    why: "the location's code takes the place of its name",
  },
  {
    where: /GET \/\S+ \| data\.\S*(name|number|label) (missing|null|of another type)$/,
    says: /to choose here\.$|^There is |^Correct it…$|now, so nothing was done\.$|^Ask again by that name\.$|could be .* \(active$|\) or .* \(active$|: choose one\.$/,
    why: "nothing is done: a typed name matches none that is shown, and those that can be chosen are named by their ids",
  },
  {
    where: /GET \/\S+ \| data\.\S*\*\.id (missing|null|of another type)$/,
    says: /to choose here\.$|^There is /,
    why: "nothing is done: an id that cannot be read can be named by nobody",
  },
  {
    where: /customer GET \/services\/\{id\}\/backups \| /,
    loses: /Created at|Size|State/,
    why: "the spec names no field of a provider's backup, so a row is shown as it came",
  },
  {
    where: /customer GET \/services\/\{id\}\/upgrades \| data\.upgrades\.\*\.toSpecs/,
    says: /costs .* today|If that is smaller|will happen when/,
    loses: /./,
    why: "a plan whose disk is unknown is decided as one that destroys: its card is another one, and says that",
  },
  {
    where: /service option add \| \S+ GET \S+ \| data\.options\.\*\.prices/,
    says: /^Yes, buy Monitoring$|Prices: (?:[Aa]nnually|7$)/,
    why: "a button without a price: its card says that the price is unknown, and shows the fields that came",
  },
  {
    where: /customer GET \/services\/\{id\} \| data\.service\.serviceType /,
    says: /This will erase everything on the disks|is smaller, data will be lost|will happen when|Any snapshots, backups/,
    loses: /./,
    why: "a service of an unknown kind is decided as one that loses data, and has no page with its project and address: its card says both",
  },
  {
    where: /reseller service upgrade \| reseller GET \/services\/\{serviceId\} \| data\.productName /,
    says: /from its present package|is smaller, data will be lost|will happen when/,
    why: "a package without a name has an unknown disk: the change is decided as one that destroys",
  },
  {
    where: /reseller service upgrade \| reseller GET \/products \| data\.\*\.pricing\.monthly (missing|null)$/,
    says: /There is no “VPS L” to choose here|There is none to choose from/,
    why: "reseller spec section 2.2: the cycles with a price are those that can be ordered",
  },
  {
    where: /reseller order new \| reseller GET \/products\/\{productId\} \| data\.pricing\.monthly (missing|null)$/,
    loses: /monthly|"amount"/,
    why: "reseller spec section 2.2: a cycle without a price cannot be ordered, so the form takes the next one, and the card names it",
  },
  {
    where: /reseller order new \| reseller GET \/products\/\{productId\}(\/schema)? \| data\.(pricing|locationPricing)/,
    says: /^Yes, order 1 service$|es-mad|de-fra|EUR/,
    loses: /EUR|es-mad/,
    why: "a button without a price, whose card says that it is unknown; or the form takes another location, and the card names it",
  },
  {
    where: /reseller order new \| .*\/schema \| data\.osImages (missing|null)$/,
    loses: /System|Debian 13/,
    why: "reseller spec section 2.2: a product without images takes no system, so the form does not ask for one",
  },
  {
    where: /reseller GET \/services\/\{serviceId\} \| data\.externalCustomerId null$/,
    says: /no customer|disks of|Host name|^(?::warning: )?(?:All data written on|\S+ will be terminated)|^First Rackbell takes a snapshot/,
    loses: /sold to|Sold to/,
    why: "reseller spec section 2.4: null is no customer. A row that leaves the field out does not say",
  },
  {
    where: /reseller GET \/services\/\{serviceId\} \| data\.(serverIp null|serverLocation (missing|null))$/,
    says: /[Aa]ddress:? none|^no address$|Host name/,
    loses: /[Aa]ddress|[Ll]ocation|See Details/,
    why: "reseller spec section 2.4: null is no address; a location that is not shown is left out, and nothing is denied",
  },
  {
    where: /reseller GET \/services\/\{serviceId\} \| data\.hostname (missing|null)$/,
    says: /BOR-003/,
    loses:
      /web-2\.example\.test|arena-1\.example\.test|^the card no longer says “Yes, (?:set variables|reset password|upload mod)”$/,
    why: "the partner's own id takes the place of the host name",
  },
  {
    where: /reseller GET \/services\/\{serviceId\}\/capabilities \| data\.backend null$/,
    says: /no reachable platform/,
    loses: /backup|Back up|Runs on|VPS of the platform/,
    why: "reseller spec section 2.4: null means no remote controls",
  },
  {
    where: /reseller (service password|game (file upload|mod upload|vars)) \| reseller GET \/services \| /,
    says: /no customer|do not name the fields|Rackbell never shows them|^No secrets: they are shown$|[Ll]ocation:? Spain|root password on|^Reset password of|made-here\.txt|^Upload file to/,
    loses: /./,
    why: "the form takes another row, since the usual one cannot be read; the card names it",
  },
  {
    where: /reseller (service (?!password)|game (?!file upload|mod upload|vars))[\S ]+ \| reseller GET \/services \| /,
    says: /^Leave it as it is$|the machine stays off until|^Your customer('s players| can no longer)|\S…$/,
    why: "nothing is done: the row that cannot be read is offered as the one that may be meant, and its dialog says the loss",
  },
  {
    where: /reseller order retry \| reseller GET \/orders \| /,
    says: /^The platform charges Wallet|^Your earlier orders do not show which\.$/,
    loses: /Like your last order|Collected/,
    why: "the way of payment has more words where the earlier orders do not show it, and the card says that they do not",
  },
  {
    where: /reseller order retry \| reseller GET \/orders\/\{orderId\} \| data\.external_order_id /,
    says: /./,
    loses: /./,
    why: "the order may then have changed services that are there, so its card has more warnings",
  },
  {
    where:
      /reseller order (retry|list) \| reseller GET \/orders(\/\{orderId\})? \| data\.(orders\.\*\.)?(wholesale_amount|currency) /,
    says: /^Yes, charge again$|base currency/,
    loses: /3\.80 EUR|base currency|VAT/,
    why: "reseller spec section 2.3: the total of the row is in the base currency; a button has no price where it is unknown",
  },
  {
    where:
      /reseller service options set \| reseller GET (\/products \| data\.\*\.options|\/services\/\{serviceId\} \| data\.(productName|billingCycle))/,
    says: /^Yes, change web-2\.example\.test$|^The platform's prices, excl\.$|Setup fee/,
    why: "a button has no price where it is unknown, and the card has the row of the add-on as it came",
  },
  {
    where: /reseller (order retry|payment default) \| reseller GET \/payment-methods \| data\.\*\.label /,
    loses: /Wallet/,
    why: "the kind of the payment method takes the place of its label",
  },
  {
    where: /reseller GET \/payment-methods \| data(\.\*\.\w+)? /,
    says: /^The platform charges your default payment method or your credit/,
    loses: /Company card/,
    why: "the default payment method is charged, whatever its label, and the card says that the way is unknown",
  },
  {
    where: /reseller service restore \| .* \| data\.snapshots\.\*\.created_at /,
    says: /since that backup/,
    loses: /since TIME/,
    why: "the backup is named, and the card says that its time is unknown",
  },
  {
    where:
      /reseller service upgrade \| reseller GET (\/services\/\{serviceId\}\/upgrades \| data\.available|\/products \| data\.\*\.specs)/,
    says: /will change from|If that is smaller|will happen when|There is none to choose|^Specs: 7$/,
    loses: /./,
    why: "the spec shows no field of an offer, so it is shown as it came; without its disk it is decided as one that destroys",
  },
  {
    where:
      /service options change \| customer GET \/services\/\{id\}\/options\/available \| data\.options\.\*\.(billing_cycle |price of another)/,
    loses: /Added|Billing cycle|Price/,
    why: "the spec names no field of an add-on, so a row is shown as it came",
  },
  {
    where: /reseller service (run|provider) \| reseller GET \S+ \| data\.(provider null|schema)/,
    says: /^no(?:ne provides this service)?$|^No plugin provides|^It has no provider actions|^The provider describes no page|names of its actions/,
    loses: /provides this service|Named on its page|yes/,
    why: "by the reseller spec null is no plugin and no page; a page that has the action's name nowhere does not name it",
  },
  {
    where: /reseller customer (delete|change) \| .* \| data\.customers\.\*\.external_customer_name /,
    says: /newcomer|^none → Newcomer$|New name: none/,
    loses: /Newcomer Ltd|Your own id|newcomer/,
    why: "the partner's own id takes the place of the name, and is not shown twice",
  },
  {
    where: /reseller service options set \| reseller GET \/services\/\{serviceId\}\/options \| data\.available/,
    says: /^Nothing was charged\.$|^Remove single add-ons by name/,
    why: "nothing is done, and the sentence before says that the add-ons are not shown",
  },
  {
    where: /reseller service options set \| reseller GET \/services\/\{serviceId\} \| data\.serverIp null$/,
    loses: /“(?:Removed|none)”$/,
    why: "with one more fact, that there is no address, “Removed: none” has its place in the details: nothing is lost by it",
  },
  {
    where: /customer GET \/invoices \| data\.stats\.\w+ (missing|null|of another type)$/,
    says: /^Among all invoices: (?:\d+ \w+|3 paid and 7 unpaid|7 paid and 2 unpaid)\.$/,
    why: "the number of one status, which says nothing of the others",
  },
  {
    where: /service options change \| customer GET \/vps\/\{id\} \| data\.billing\.next_due_date /,
    loses: /for the rest of the paid period/,
    why: "the sentence stays without its time, and the card says that the platform does not show until when it is paid",
  },
  {
    where: /(vps|service) keep \| customer GET \/(vps|services)\/\{id\} \| data\.(service\.)?cancellation/,
    says: /is not cancelled|^Nothing was sent\.$|^If db-2 is cancelled/,
    loses: /The cancellation of db-2/,
    why: "spec section 2.3: null where nothing is cancelled. Where it cannot be read, the card says what happens if it is",
  },
  {
    where: /service password \| customer GET \/services\/\{id\} \| data\.service\.serviceType /,
    says: /provisioning manages web-2|^If (?:the server is rebuilt|not)|^SSH keys$/,
    why: "a service of an unknown kind may be a dedicated server, which a new password may erase: the card says when",
  },
  {
    where: /customer GET \/services\/\{id\} \| data\.service\.name (missing|null)$/,
    loses: /web-2/,
    why: "the host name takes the place of the name",
  },
  {
    where: /game \w+ \| customer GET \/services \| data\.services\.\*\.name (missing|null)$/,
    says: /^game server$/,
    why: "the kind stands alone beside the host name, which takes the place of the name",
  },
  {
    where: /reseller service options set \| .* \| data\.\*\.options\.\*\.pricing\.monthly of another type$/,
    loses: /0\.80 EUR|"amount":0\.8/,
    why: "the price in its place is the platform's own figure, as another reading of the field has it",
  },
  {
    where: /reseller service stats \| .*\/stats \| data\./,
    says: /^Source: guestdaily$|^(?:Read|Write): [\d.,]+ [kM]bit\/s$/,
    why: "an answer off the contract is shown field by field, as it came, with the units of its names",
  },
  {
    where: /reseller game files \| .* \| data\.entries\.\*\.is_directory /,
    says: /^0 B$/,
    why: "the size that the platform names; what may be a folder is not called empty",
  },
  {
    where: /reseller service list \| reseller GET \/services \| data\.services\.\*\.hostname (missing|null)$/,
    says: /^There are no resold services with “web”\.$/,
    why: "reseller spec section 2.4: a service may have no host name, and none of the other names has the text",
  },
  {
    where: /reseller product show \| .* \| data\.options\.\*\.pricing\.hourly (missing|null)$/,
    says: /a month ÷ 720 for each hour/,
    why: "reseller spec section 1.1: an hour costs so where no price of its own is set",
  },
  {
    where: /(service|vps) (backups|restore|revert) \| .* \| data\.snapshots\.\*\.crash_consistent (missing|null)$/,
    says: /^System frozen$/,
    why: "the label of a value that says that it is unknown",
  },
  {
    where: /service upgrade (show|cancel) \| customer GET \/services\/\{id\}\/upgrades \| data\.pendingUpgrade null$/,
    says: /^No change of web-2 is pending\.$|^Nothing was sent\.$/,
    why: "spec section 2.12: null where no change is pending",
  },
  {
    where: /(service|vps) cancel \| customer GET \/vps\/\{id\} \| data\.hostname null$/,
    says: /^At once: no\.$/,
    why: "a fact of the card, which has room in the dialog where there is no host name",
  },
  {
    where: /reseller game [\S ]+ \| .*\/game(\/\S+)? \| data(\.\w+)? (missing|null)$/,
    says: /^The game module sent no details\.$/,
    why: "that is so: the answer has nothing in it",
  },
  {
    where: /reseller game show \| .*\/game \| data/,
    says: /^Start$/,
    why: "a server whose state is unknown can be started: a running one stays as it is",
  },
  {
    where: /reseller game (backups|schedules|mods) \| .* \| data/,
    says: /^arena-1\.example\.test: (?:backups|schedules|mods)$|^Cron 0 4$/,
    why: "the heading of rows that are shown as they came, since the spec names no field of them",
  },
  {
    where: /reseller game schedule delete \| .*\/game\/schedules \| data\.\*\.(?!id)/,
    loses: /Cron|Action|Enabled/,
    why: "the spec names no field of such a row, so it is shown as it came",
  },
  {
    where: /reseller game \S+ \S+ \| .*\/game\/(mods|backups) \| data\.\*\.(?!id)/,
    loses: /Source|Version|Updated|Size|Enabled|Locked|Status|Created at|From the game module/,
    why: "the spec names no field of such a row, so it is shown as it came",
  },
];

/** The sentences that a case may make, and the texts that its card may have lost. */
export function allowedFor(one: Case): { sentence: (sentence: string) => boolean; loss: (text: string) => boolean } {
  const name = [one.command, one.route, one.shape.name].join(" | ");
  const own = allowed.filter(({ where }) => where.test(name));
  return {
    sentence: (sentence) => own.some(({ says }) => says?.test(sentence)),
    loss: (text) => own.some(({ loses }) => loses?.test(text)),
  };
}
