"""An identity provider by pysaml2, for service-provider.test.ts: writes its metadata, and answers a request with a response.

identity_provider.py CONFIG metadata
identity_provider.py CONFIG respond QUERY OPTIONS
"""
import json
import sys
from functools import partial, partialmethod
from urllib.parse import parse_qs

import saml2.entity
from saml2 import BINDING_HTTP_REDIRECT
from saml2.authn_context import PASSWORD
from saml2.config import Config
from saml2.metadata import entity_descriptor
from saml2.saml import NAMEID_FORMAT_PERSISTENT, NameID
from saml2.server import Server
from saml2.sigver import SecurityContext

# its default is Triple DES, which is not accepted
saml2.entity.pre_encryption_part = partial(
    saml2.entity.pre_encryption_part, msg_enc="http://www.w3.org/2001/04/xmlenc#aes256-cbc"
)
SecurityContext.encrypt_assertion = partialmethod(SecurityContext.encrypt_assertion, key_type="aes-256")


def configured(settings):
    base = settings["base"]
    # an http address: the real one is https
    return Config().load(
        {
            "entityid": f"{base}/idp",
            "xmlsec_binary": settings["xmlsec"],
            "key_file": settings["key"],
            "cert_file": settings["certificate"],
            "encryption_keypairs": [],
            "metadata": {"local": [settings["sp"]] if settings.get("sp") else []},
            "service": {
                "idp": {
                    "endpoints": {"single_sign_on_service": [(f"{base}/sso", BINDING_HTTP_REDIRECT)]},
                    "want_authn_requests_signed": settings["signed"],
                    "sign_assertion": True,
                    "policy": {"default": {"lifetime": {"minutes": 5}, "attribute_restrictions": None}},
                }
            },
        }
    )


def respond(server, query, options):
    sent = {name: values[0] for name, values in parse_qs(query).items()}
    parsed = server.parse_authn_request(
        sent["SAMLRequest"],
        BINDING_HTTP_REDIRECT,
        relay_state=sent.get("RelayState"),
        sigalg=sent.get("SigAlg"),
        signature=sent.get("Signature"),
    )
    where = server.response_args(parsed.message)
    response = server.create_authn_response(
        identity={"mail": options["mail"], "displayName": options["name"]},
        userid=options["user"],
        authn={"class_ref": PASSWORD},
        name_id=NameID(format=NAMEID_FORMAT_PERSISTENT, text=options["user"]),
        sign_assertion=options["signs"] != "response",
        sign_response=options["signs"] != "assertion",
        encrypt_assertion=options["encrypts"],
        encrypted_advice_attributes=False,
        sign_alg="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
        digest_alg="http://www.w3.org/2001/04/xmlenc#sha256",
        **where,
    )
    return str(response)


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf8") as file:
        config = configured(json.load(file))
    if sys.argv[2] == "metadata":
        print(entity_descriptor(config))
    else:
        print(respond(Server(config=config), sys.argv[3], json.loads(sys.argv[4])))
