"""A service provider by pysaml2: prints the address that starts a sign-in, reads what comes back, prints whom it signed in."""
import json
import sys

from saml2 import BINDING_HTTP_POST, BINDING_HTTP_REDIRECT
from saml2.client import Saml2Client
from saml2.config import SPConfig

options = json.loads(sys.stdin.readline())
config = SPConfig().load(
    {
        "entityid": options["entityId"],
        "allow_unknown_attributes": True,
        "xmlsec_binary": "/usr/bin/xmlsec1",
        "key_file": options["keyFile"],
        "cert_file": options["certFile"],
        "encryption_keypairs": [{"key_file": options["keyFile"], "cert_file": options["certFile"]}],
        "metadata": {"local": [options["metadataFile"]]},
        "service": {
            "sp": {
                "endpoints": {"assertion_consumer_service": [(options["acsUrl"], BINDING_HTTP_POST)]},
                "authn_requests_signed": True,
                "want_response_signed": True,
                "want_assertions_signed": True,
                "signing_algorithm": "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
                "digest_algorithm": "http://www.w3.org/2001/04/xmlenc#sha256",
            }
        },
    }
)
client = Saml2Client(config=config)
request_id, info = client.prepare_for_authenticate(relay_state="from pysaml2", binding=BINDING_HTTP_REDIRECT)
print(json.dumps({"location": dict(info["headers"])["Location"]}), flush=True)
answer = client.parse_authn_request_response(
    sys.stdin.readline().strip(), BINDING_HTTP_POST, outstanding={request_id: "/"}
)
print(json.dumps({"name": answer.name_id.text, "attributes": answer.ava}), flush=True)
